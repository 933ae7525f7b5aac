#include "format/proto/profile/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "event/emit.h"
#include "event/event_kind.h"
#include "format/common/stats.h"
#include "format/proto/generated/fields.h"
#include "format/proto/profile/stacks.h"
#include "format/proto/profile/stats.h"
#include "format/proto/recording/own.h"

namespace tracebraid::proto {
namespace {

constexpr std::string_view kPerfSource = "linux.perf";
constexpr size_t kMaxValues = 64;  // of one sample
constexpr int kMaxAsyncDepth = 64;

// Names by Profiling.CpuMode.
constexpr std::string_view kCpuModes[] = {"unknown",    "kernel",       "user",
                                          "hypervisor", "guest_kernel", "guest_user"};
std::string_view perf_cpu_mode(uint64_t mode) {
  return kCpuModes[mode < std::size(kCpuModes) ? mode : 0];
}

// Maps StackSample.Mode, which has another order.
std::string_view stack_sample_mode(uint64_t mode) {
  static constexpr std::string_view kNames[] = {"unknown",    "user",       "kernel",
                                                "hypervisor", "guest_user", "guest_kernel"};
  return kNames[mode < std::size(kNames) ? mode : 0];
}

// Names by Profiling.StackUnwindError.
constexpr std::string_view kUnwindErrors[] = {
    "unknown",     "none",        "memory_invalid",      "unwind_info",
    "unsupported", "invalid_map", "max_frames_exceeded", "repeated_frame",
    "invalid_elf", "system_call", "thread_timeout",      "thread_does_not_exist",
    "bad_arch",    "maps_parse",  "invalid_parameter",   "ptrace_call"};
std::string_view unwind_error_name(uint64_t error) {
  return kUnwindErrors[error < std::size(kUnwindErrors) ? error : 0];
}

uint64_t number_of(std::span<const std::string_view> names, std::string_view name) {
  const auto at = std::ranges::find(names, name);
  return at == names.end() ? 0 : static_cast<uint64_t>(at - names.begin());
}

constexpr uint64_t kNoUnwindError = 1;

void append_key(std::string& key, std::string_view part) {
  key += part;
  key += '\0';
}

uint32_t session_of(const PacketInfo& packet, std::string_view source, std::string_view unit,
                    EventSink& sink) {
  SampleSession session{
      .machine = packet.machine, .key = packet.sequence->id, .source = sink.string(source)};
  if (!unit.empty()) session.timebase_unit = sink.string(unit);
  return sink.session(session);
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

uint64_t cpu_mode_number(std::string_view name) { return number_of(kCpuModes, name); }
uint64_t unwind_error_number(std::string_view name) { return number_of(kUnwindErrors, name); }

uint32_t find_callsite(const PacketInfo& packet, uint64_t iid, EventSink& sink) {
  const Sequence& sequence = *packet.sequence;
  std::optional<uint32_t> found;
  if (sequence.interned && sequence.interned->stacks)
    found = sequence.interned->stacks->callsite(iid, packet.machine, sink);
  if (!found) sink.count(stats::stackprofile_invalid_callstack_id, packet.at, {}, packet.machine);
  return found.value_or(kNone);
}

uint32_t SampleReader::track(const PacketInfo& packet, const CounterOf& of,
                             const SampledCounter& counter, PacketOutput& out) {
  std::string key;
  for (const std::string_view part : {of.type, of.source, std::string_view(counter.name)})
    append_key(key, part);
  key += fmt::format("{} {} {} {}", packet.machine, of.session, of.cpu, of.is_timebase);
  const auto [at, added] = tracks_.try_emplace(std::move(key), kNone);
  if (!added) return at->second;
  EventSink& sink = out.sink;
  TrackName name;
  name.events = TrackEvents::Counter;
  name.machine = packet.machine;
  name.type = sink.string(of.type);
  name.name = sink.string(counter.name);
  if (of.cpu >= 0) {
    name.scope = TrackScope::Cpu;
    name.owner = static_cast<uint32_t>(of.cpu);
  }
  const bool is_perf = of.source == kPerfSource;
  sink.open_args();
  if (is_perf) {
    add_int("perf_session_id", of.session, sink, ArgType::Session);
    add_text("name", counter.name, sink);
  } else {
    if (!counter.unit.empty()) name.unit = sink.string(counter.unit);
    add_int("session_id", of.session, sink, ArgType::Session);
    add_text("source", of.source, sink);
    add_text("counter_name", counter.name, sink);
  }
  name.dimensions = sink.close_args();
  sink.open_args();
  add_int("is_timebase", of.is_timebase ? 1 : 0, sink, ArgType::Bool);
  if (!counter.description.empty()) add_text("description", counter.description, sink);
  name.source_args = sink.close_args();
  at->second = sink.track(name);
  out.declare(packet.time, at->second);
  return at->second;
}

void SampleReader::write(const PacketInfo& packet, Sample& sample, PacketOutput& out) {
  EventSink& sink = out.sink;
  StackTables& stacks = sink.batch().stacks;
  SampleExtra& extra = sample.extra;
  extra.session = sample.session;
  const bool is_perf = sample.source == kPerfSource;
  std::vector<SampleCounter> values;
  for (const Value& value : sample.values) {
    const bool of_cpu = extra.cpu >= 0 && (is_perf || value.counter.of_cpu);
    const std::string_view type =
        is_perf ? (of_cpu ? "perf_cpu_counter" : "perf_global_counter")
                : (of_cpu ? "stack_sample_cpu_counter" : "stack_sample_session_counter");
    const uint32_t index = track(
        packet, {type, sample.source, sample.session, of_cpu ? extra.cpu : -1, value.is_timebase},
        value.counter, out);
    if (value.value)
      values.push_back(
          {index, false,
           static_cast<double>(*value.value) * static_cast<double>(value.counter.multiplier)});
  }
  if (!values.empty()) {
    values.back().last = true;
    extra.counters = static_cast<uint32_t>(stacks.sample_counters.size());
    stacks.sample_counters.insert(stacks.sample_counters.end(), values.begin(), values.end());
  }
  uint32_t thread = kNone;
  if (sample.tid)
    thread = sink.thread(
        {.machine = packet.machine, .tid = *sample.tid, .pid = sample.pid.value_or(kNoId)});
  else if (sample.pid)
    extra.process = out.process(packet, *sample.pid);
  SampleParts parts{.weight = sample.weight};
  if (sample.name) parts.name = sink.string(*sample.name);
  parts.source = sink.string(sample.source);
  emit_sample(sink, packet.time, thread, parts, extra);
}

void SampleReader::read_perf_sample(const PacketInfo& packet, std::string_view message,
                                    PacketOutput& out) {
  using Field = field::PerfSample;
  constexpr uint64_t kStoppedByGuardrail = 1, kSkippedInQueue = 3;
  Sample sample;
  std::optional<uint64_t> stack, timebase, lost, skipped;
  std::optional<std::string_view> own_fields;
  std::vector<uint64_t> followers;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kCpu:
        sample.extra.cpu = fields.u32();
        break;
      case Field::kPid:
        sample.pid = fields.u32();
        break;
      case Field::kTid:
        sample.tid = fields.u32();
        break;
      case Field::kCallstackIid:
        stack = fields.u64();
        break;
      case Field::kCpuMode:
        if (fields.u64() != 0) sample.extra.cpu_mode = out.sink.string(perf_cpu_mode(fields.u64()));
        break;
      case Field::kTimebaseCount:
        timebase = fields.u64();
        break;
      case Field::kFollowerCounts:
        for_each_varint(fields, [&](uint64_t value) {
          if (followers.size() < kMaxValues) followers.push_back(value);
        });
        break;
      case Field::kUnwindError:
        if (fields.u64() != kNoUnwindError)
          sample.extra.unwind_error = out.sink.string(unwind_error_name(fields.u64()));
        break;
      case Field::kKernelRecordsLost:
        lost = fields.u64();
        break;
      case Field::kSampleSkippedReason:
        skipped = fields.u64();
        break;
      case Field::kProducerEvent:
        for (Message event = fields.message(); event.next();)
          if (event.number() == field::PerfSample_ProducerEvent::kSourceStopReason &&
              event.u64() == kStoppedByGuardrail)
            stats_[packet.machine].set(stats::perf_guardrail_stop_ts, packet.time.ticks,
                                       static_cast<int32_t>(packet.sequence->id));
        return;
      case own::kField:
        own_fields = fields.bytes();
        break;
      default:
        break;
    }
  }
  if (own_fields) {
    if (stack) sample.extra.callsite = find_callsite(packet, *stack, out.sink);
    read_own(packet, *own_fields, sample, out.sink);
    return write(packet, sample, out);
  }
  static const PerfDefaults kNoDefaults;
  const PerfDefaults& defaults =
      packet.sequence->defaults.perf ? *packet.sequence->defaults.perf : kNoDefaults;
  sample.source = kPerfSource;
  sample.session = session_of(packet, kPerfSource, defaults.timebase.unit, out.sink);
  sample.values.push_back({defaults.timebase, true, timebase});
  for (size_t i = 0; i < defaults.followers.size(); ++i)
    sample.values.push_back({defaults.followers[i], false,
                             i < followers.size() ? std::optional(followers[i]) : std::nullopt});
  if (lost && *lost > 0) {
    // Not a sample, but the CPU is sampled.
    for (const Value& value : sample.values)
      track(packet,
            {sample.extra.cpu >= 0 ? "perf_cpu_counter" : "perf_global_counter", kPerfSource,
             sample.session, sample.extra.cpu, value.is_timebase},
            value.counter, out);
    out.sink.tally(stats::perf_cpu_lost_records, static_cast<int64_t>(*lost), packet.machine,
                   static_cast<int32_t>(sample.extra.cpu));
    return;
  }
  if (skipped && *skipped == kSkippedInQueue)
    out.sink.tally(stats::perf_samples_skipped_dataloss, 1, packet.machine);
  else if (skipped && *skipped != 0)
    out.sink.tally(stats::perf_samples_skipped, 1, packet.machine);
  if (stack) sample.extra.callsite = find_callsite(packet, *stack, out.sink);
  write(packet, sample, out);
}

namespace {

uint32_t add_async(Message message, uint32_t parent, EventSink& sink) {
  AsyncContext context{.parent = parent};
  while (message.next()) {
    if (message.number() == own::Sample::kAsyncName) context.name = sink.string(message.bytes());
    if (message.number() == own::Sample::kAsyncKind) context.kind = sink.string(message.bytes());
  }
  return sink.async_context(context);
}

}  // namespace

// Reads fields of our own exporter: the source and session of each sample.
void SampleReader::read_own(const PacketInfo& packet, std::string_view message, Sample& sample,
                            EventSink& sink) {
  using Field = own::Sample;
  SampleSession session{.machine = packet.machine};
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kSource) sample.source = fields.bytes();
    if (fields.number() == Field::kSession) session.key = fields.u64();
    if (fields.number() == Field::kUnit && !fields.bytes().empty())
      session.timebase_unit = sink.string(fields.bytes());
    if (fields.number() == Field::kCmdline && !fields.bytes().empty())
      session.cmdline = sink.string(fields.bytes());
    if (fields.number() == Field::kName) sample.name = fields.bytes();
    if (fields.number() == Field::kWeight) sample.weight = fields.real();
    if (fields.number() == Field::kRows)
      sample.extra.rows =
          fields.u64() == own::kJson ? SampleRows::Json : SampleRows::JsonAndProfiler;
    if (fields.number() == Field::kPriority) sample.extra.priority = fields.i64();
    if (fields.number() == Field::kTid) sample.tid = fields.i64();
    if (fields.number() == Field::kPid) sample.pid = fields.i64();
    if (fields.number() == Field::kAsync)
      sample.extra.async_context = add_async(fields.message(), sample.extra.async_context, sink);
  }
  session.source = sink.string(sample.source);
  if (session.key != 0) sample.session = sink.session(session);
}

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
      session_of(packet, sample.source,
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
  if (stacks.size() > deltas.size() || !writer.has_reference)
    out.count(stats::stackprofile_parser_error, packet);
  if (!writer.has_reference) return;
  for (size_t i = 0; i < std::min(stacks.size(), deltas.size()); ++i) {
    int64_t ns = 0;
    if (__builtin_add_overflow(writer.reference_us, deltas[i], &writer.reference_us) ||
        __builtin_mul_overflow(writer.reference_us, kNsPerUs, &ns))
      return out.count(stats::stackprofile_parser_error, packet);
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

void SampleReader::finish(EventSink& sink) const {
  for (const auto& [machine, stats] : stats_) stats.finish(machine, sink);
}

}  // namespace tracebraid::proto
