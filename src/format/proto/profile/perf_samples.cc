// Samples of linux.perf, and of our own exporter (spec proto 6.8).
#include <algorithm>
#include <span>

#include "format/common/stats.h"
#include "format/proto/generated/fields.h"
#include "format/proto/profile/samples.h"
#include "format/proto/profile/stats.h"
#include "format/proto/recording/own.h"

namespace tracebraid::proto {
namespace {

// Names by Profiling.CpuMode.
constexpr std::string_view kCpuModes[] = {"unknown",    "kernel",       "user",
                                          "hypervisor", "guest_kernel", "guest_user"};
std::string_view perf_cpu_mode(uint64_t mode) {
  return kCpuModes[mode < std::size(kCpuModes) ? mode : 0];
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

uint32_t add_async(Message message, uint32_t parent, EventSink& sink) {
  AsyncContext context{.parent = parent};
  while (message.next()) {
    if (message.number() == own::Sample::kAsyncName) context.name = sink.string(message.bytes());
    if (message.number() == own::Sample::kAsyncKind) context.kind = sink.string(message.bytes());
  }
  return sink.async_context(context);
}

}  // namespace

uint64_t cpu_mode_number(std::string_view name) { return number_of(kCpuModes, name); }
uint64_t unwind_error_number(std::string_view name) { return number_of(kUnwindErrors, name); }

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
  sample.session = session(packet, kPerfSource, defaults.timebase.unit, out.sink);
  sample.values.push_back({defaults.timebase, true, timebase});
  for (size_t i = 0; i < defaults.followers.size(); ++i)
    sample.values.push_back({defaults.followers[i], false,
                             i < followers.size() ? std::optional(followers[i]) : std::nullopt});
  if (lost && *lost > 0) {
    // No sample, but the CPU is sampled.
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

// Reads the fields of our own exporter, which give the source and session of each sample.
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
    if (fields.number() == Field::kIsAlone && fields.flag()) sample.pid.reset();
    if (fields.number() == Field::kAsync)
      sample.extra.async_context = add_async(fields.message(), sample.extra.async_context, sink);
  }
  session.source = sink.string(sample.source);
  if (session.key != 0) sample.session = sink.session(session);
}

}  // namespace tracebraid::proto
