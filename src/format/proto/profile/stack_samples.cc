// Samples of StackSample packets and of streaming profiles (spec proto 6.8).
#include <algorithm>
#include <limits>

#include "base/saturate.h"
#include "format/proto/generated/fields.h"
#include "format/proto/profile/samples.h"
#include "format/proto/profile/stacks.h"
#include "format/proto/profile/stats.h"

namespace tracebraid::proto {
namespace {

constexpr int kMaxAsyncDepth = 64;
// Maps StackSample.Mode, which has another order.
std::string_view stack_sample_mode(uint64_t mode) {
  static constexpr std::string_view kNames[] = {"unknown",    "user",       "kernel",
                                                "hypervisor", "guest_user", "guest_kernel"};
  return kNames[mode < std::size(kNames) ? mode : 0];
}

// Returns the interned message; empty if there is none.
std::string_view interned_message(const PacketInfo& packet, uint32_t field, uint64_t iid) {
  if (!packet.sequence->interned) return {};
  const auto& tables = packet.sequence->interned->messages;
  const auto table = tables.find(field);
  const std::string* const found = table == tables.end() ? nullptr : table->second.find(iid);
  return found == nullptr ? std::string_view() : std::string_view(*found);
}

uint32_t async_context(const PacketInfo& packet, uint64_t iid, EventSink& sink, int depth = 0) {
  using Field = field::StackSample_AsyncContextDescriptor;
  const std::string_view message =
      interned_message(packet, field::InternedData::kStackSampleAsyncContextDescriptors, iid);
  if (message.empty() || depth > kMaxAsyncDepth) return kNone;
  AsyncContext context;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kName) context.name = sink.string(fields.bytes());
    if (fields.number() == Field::kKind) context.kind = sink.string(fields.bytes());
    if (fields.number() == Field::kParentIid)
      context.parent = async_context(packet, fields.u64(), sink, depth + 1);
  }
  return sink.async_context(context);
}

}  // namespace

void SampleReader::read_contexts(const PacketInfo& packet, std::string_view message, Sample& sample,
                                 PacketOutput& out) {
  using Field = field::StackSample;
  using Task = field::StackSample_TaskContext;
  using Execution = field::StackSample_ExecutionContext;
  std::string_view task, execution;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kTaskContext:
        task = fields.bytes();
        break;
      case Field::kTaskContextIid:
        task =
            interned_message(packet, field::InternedData::kStackSampleTaskContexts, fields.u64());
        break;
      case Field::kExecutionContext:
        execution = fields.bytes();
        break;
      case Field::kExecutionContextIid:
        execution = interned_message(packet, field::InternedData::kStackSampleExecutionContexts,
                                     fields.u64());
        break;
      default:
        break;
    }
  }
  for (Message fields(task); fields.next();) {
    if (fields.number() == Task::kPid) sample.pid = fields.u32();
    if (fields.number() == Task::kTid) sample.tid = fields.u32();
    if (fields.number() == Task::kAsyncId)
      sample.extra.async_context = async_context(packet, fields.u64(), out.sink);
  }
  for (Message fields(execution); fields.next();) {
    if (fields.number() == Execution::kCpu) sample.extra.cpu = fields.u32();
    if (fields.number() == Execution::kMode)
      sample.extra.cpu_mode = out.sink.string(stack_sample_mode(fields.u64()));
  }
}

// Counters that the sample names itself come before the default ones.
void SampleReader::read_values(const PacketInfo& packet, std::string_view message, Sample& sample,
                               const StackSampleDefaults& defaults) {
  using Field = field::StackSample;
  std::optional<SampledCounter> primary = defaults.primary;
  std::vector<SampledCounter> followers;
  std::optional<uint64_t> weight;
  std::vector<uint64_t> weights;
  const auto interned = [&](uint64_t iid) {
    return read_counter_descriptor(Message(
        interned_message(packet, field::InternedData::kStackSampleCounterDescriptors, iid)));
  };
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kPrimaryDescriptor:
        primary = read_counter_descriptor(fields.message());
        break;
      case Field::kPrimaryDescriptorIid:
        primary = interned(fields.u64());
        break;
      case Field::kPrimaryWeight:
        weight = fields.u64();
        break;
      case Field::kFollowerDescriptors:
        if (followers.size() < kMaxValues)
          followers.push_back(read_counter_descriptor(fields.message()));
        break;
      case Field::kFollowerDescriptorIids:
        for_each_varint(fields, [&](uint64_t iid) {
          if (followers.size() < kMaxValues) followers.push_back(interned(iid));
        });
        break;
      case Field::kFollowerWeights:
        for_each_varint(fields, [&](uint64_t value) {
          if (weights.size() < kMaxValues) weights.push_back(value);
        });
        break;
      default:
        break;
    }
  }
  if (followers.empty()) followers = defaults.followers;
  if (primary && weight) sample.values.push_back({*primary, true, weight});
  for (size_t i = 0; i < std::min(followers.size(), weights.size()); ++i)
    sample.values.push_back({followers[i], false, weights[i]});
}

void SampleReader::read_stack_sample(const PacketInfo& packet, std::string_view message,
                                     PacketOutput& out) {
  using Field = field::StackSample;
  static const StackSampleDefaults kNoDefaults;
  const StackSampleDefaults& defaults = packet.sequence->defaults.stack_sample
                                            ? *packet.sequence->defaults.stack_sample
                                            : kNoDefaults;
  Sample sample;
  sample.source = defaults.source.empty() ? "stack_sample" : std::string_view(defaults.source);
  read_contexts(packet, message, sample, out);
  read_values(packet, message, sample, defaults);
  // Drops its own text of an unwinding error, as the reference does.
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kCallstack)
      sample.extra.callsite = inline_callsite(fields.message(), out.sink);
    if (fields.number() == Field::kCallstackIid)
      sample.extra.callsite = find_callsite(packet, fields.u64(), out.sink);
  }
  sample.session =
      session(packet, sample.source,
              defaults.primary ? std::string_view(defaults.primary->unit) : "", out.sink);
  write(packet, sample, out);
}

void SampleReader::read_streaming_profile(const PacketInfo& packet, std::string_view message,
                                          PacketOutput& out) {
  using Field = field::StreamingProfilePacket;
  constexpr int64_t kNsPerUs = 1000;
  std::vector<uint64_t> stacks;
  std::vector<int64_t> deltas;
  int64_t priority = 0;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kCallstackIid)
      for_each_varint(fields, [&](uint64_t iid) { stacks.push_back(iid); });
    if (fields.number() == Field::kTimestampDeltaUs)
      for_each_varint(fields,
                      [&](uint64_t delta) { deltas.push_back(static_cast<int64_t>(delta)); });
    if (fields.number() == Field::kProcessPriority) priority = fields.i32();
  }
  WriterThread& writer = packet.sequence->thread;
  if (!writer.has_reference) return out.count(stats::stackprofile_parser_error, packet);
  // The running time begins at that of the thread; it is 0 or more.
  const auto is_negative = [&] {
    if (writer.reference_us >= 0) return false;
    out.count(stats::streaming_profile_invalid_timestamp, packet);
    return true;
  };
  if (is_negative()) return;
  for (size_t i = 0; i < std::max(stacks.size(), deltas.size()); ++i) {
    if (i >= deltas.size()) return out.count(stats::stackprofile_parser_error, packet);
    add_saturated(writer.reference_us, deltas[i]);
    if (is_negative()) return;
    if (i >= stacks.size()) continue;  // a delta without a callstack
    int64_t ns = 0;
    if (__builtin_mul_overflow(writer.reference_us, kNsPerUs, &ns))
      ns = std::numeric_limits<int64_t>::max();
    PacketInfo at = packet;
    at.time = out.clocks.time(packet.machine,
                              {.domain = field::BuiltinClock::kMonotonic,
                               .by_default = true,
                               .on_failure = OnFailure::KeepRaw},
                              ns);
    Sample sample;
    sample.extra.callsite = find_callsite(packet, stacks[i], out.sink);
    if (sample.extra.callsite == kNone) {
      out.count(stats::stackprofile_parser_error, packet);
      continue;
    }
    sample.source = "chrome";
    if (writer.tid != kNoId) sample.tid = writer.tid;
    if (writer.pid != kNoId) sample.pid = writer.pid;
    sample.extra.priority = priority;
    write(at, sample, out);
  }
}

}  // namespace tracebraid::proto
