#include "format/proto/recording/diagnostics.h"

#include <optional>
#include <vector>

#include "format/proto/generated/fields.h"

namespace tracebraid::proto {
namespace {

using Found = std::vector<Diagnostic>;

constexpr double kHigh = 0.9;

// The fields of FtraceConfig that rules name; an absent number is 0, which is never judged.
struct Ftrace {
  std::optional<uint32_t> drain_period_ms;
  uint32_t buffer_kb = 0;
  bool preserves_buffer = false, symbolizes = false, has_function_graph = false;
  bool traces_syscalls = false, filters_syscalls = false, needs_symbols = false;
};

Ftrace read_ftrace_config(Message fields) {
  using Field = field::FtraceConfig;
  Ftrace ftrace;
  while (fields.next()) {
    switch (fields.number()) {
      case Field::kFtraceEvents: {
        const std::string_view event = fields.bytes();
        ftrace.traces_syscalls |=
            event == "raw_syscalls/sys_enter" || event == "raw_syscalls/sys_exit";
        ftrace.needs_symbols |=
            event == "workqueue/workqueue_execute_start" || event == "sched/sched_blocked_reason";
        break;
      }
      case Field::kSyscallEvents:
        ftrace.filters_syscalls = true;
        break;
      case Field::kBufferSizeKb:
        ftrace.buffer_kb = fields.u32();
        break;
      case Field::kDrainPeriodMs:
        ftrace.drain_period_ms = fields.u32();
        break;
      case Field::kPreserveFtraceBuffer:
        ftrace.preserves_buffer = fields.flag();
        break;
      case Field::kSymbolizeKsyms:
        ftrace.symbolizes = fields.flag();
        break;
      case Field::kEnableFunctionGraph:
        ftrace.has_function_graph = fields.flag();
        break;
      default:
        break;
    }
  }
  return ftrace;
}

// Falls linearly from 0.9 for 64 kB to 0.2 for 1024 kB.
void judge_buffer(uint32_t kb, Found& found) {
  constexpr double kTiny = 64, kEnough = 1024, kSlope = 0.7;
  if (kb == 0 || kb >= kEnough) return;
  const double over = kb <= kTiny ? 0 : (kb - kTiny) / (kEnough - kTiny);
  found.push_back({DiagnosticRule::TinyFtraceBuffer, kHigh - kSlope * over});
}

// Falls linearly from 0.9 for 1 MB/s to 0 for 5 MB/s.
void judge_bandwidth(uint32_t kb, uint32_t period_ms, Found& found) {
  constexpr double kLow = 1, kEnough = 5, kKbOfMb = 1024, kMsOfSecond = 1000;
  if (kb == 0 || period_ms == 0) return;
  const double mb_per_second = (kb / kKbOfMb) / (period_ms / kMsOfSecond);
  if (mb_per_second >= kEnough) return;
  const double part = mb_per_second <= kLow ? 1 : (kEnough - mb_per_second) / (kEnough - kLow);
  found.push_back({DiagnosticRule::LowFtraceDrainBandwidth, kHigh * part});
}

void judge_ftrace(const Ftrace& ftrace, Found& found) {
  constexpr uint32_t kShortestMs = 100, kLongestMs = 60'000;
  if (ftrace.preserves_buffer)
    found.push_back({DiagnosticRule::PreserveFtraceBufferLateStart, 0.7});
  judge_buffer(ftrace.buffer_kb, found);
  judge_bandwidth(ftrace.buffer_kb, ftrace.drain_period_ms.value_or(0), found);
  if (ftrace.drain_period_ms &&
      (*ftrace.drain_period_ms < kShortestMs || *ftrace.drain_period_ms > kLongestMs))
    found.push_back({DiagnosticRule::ExtremeFtraceDrainPeriod, 0.6});
  if (ftrace.traces_syscalls && !ftrace.filters_syscalls)
    found.push_back({DiagnosticRule::SyscallsWithoutFilter, 0.3});
  if (ftrace.symbolizes) return;
  if (ftrace.has_function_graph)
    found.push_back({DiagnosticRule::FunctionGraphRequiresSymbolizeKsyms, 1.0});
  if (ftrace.needs_symbols) found.push_back({DiagnosticRule::EventsRequireSymbolizeKsyms, 0.6});
}

void judge_heapprofd(Message fields, Found& found) {
  constexpr uint64_t kEnoughBytes = 100 * 1024;
  uint64_t interval = 0;
  while (fields.next())
    if (fields.number() == field::HeapprofdConfig::kSamplingIntervalBytes) interval = fields.u64();
  if (interval != 0 && interval < kEnoughBytes)
    found.push_back({DiagnosticRule::HeapprofdSamplingIntervalTooLow, 0.3});
}

struct Source {
  std::string_view name;
  uint32_t buffer = 0;
};

Source judge_source(Message fields, Found& found) {
  using Field = field::DataSourceConfig;
  Source source;
  while (fields.next()) {
    if (fields.number() == Field::kName) source.name = fields.bytes();
    if (fields.number() == Field::kTargetBuffer) source.buffer = fields.u32();
    if (fields.number() == Field::kFtraceConfig)
      judge_ftrace(read_ftrace_config(fields.message()), found);
    if (fields.number() == Field::kHeapprofdConfig) judge_heapprofd(fields.message(), found);
  }
  if (source.name == "android.display.video")
    found.push_back({DiagnosticRule::DisplayVideoNotEnabled, 0.7});
  return source;
}

}  // namespace

bool is_discarding(Message buffer) {
  using Policy = field::TraceConfig_BufferConfig_FillPolicy;
  uint64_t policy = 0;
  while (buffer.next())
    if (buffer.number() == field::TraceConfig_BufferConfig::kFillPolicy) policy = buffer.u64();
  return policy == Policy::kDiscard;
}

ConfigDiagnostics judge_trace_config(uint32_t machine, std::string_view config) {
  using Field = field::TraceConfig;
  constexpr uint64_t kSevenDaysMs = 604'800'000;
  ConfigDiagnostics result{.machine = machine, .found = {}};
  std::vector<Source> sources;
  std::vector<bool> discards;  // by buffer
  bool writes_file = false;
  uint64_t write_period_ms = 0;
  for (Message fields(config); fields.next();) {
    if (fields.number() == Field::kBuffers) discards.push_back(is_discarding(fields.message()));
    if (fields.number() == Field::kWriteIntoFile) writes_file = fields.flag();
    if (fields.number() == Field::kFileWritePeriodMs) write_period_ms = fields.u32();
    if (fields.number() != Field::kDataSources) continue;
    for (Message source = fields.message(); source.next();)
      if (source.number() == field::TraceConfig_DataSource::kConfig)
        sources.push_back(judge_source(source.message(), result.found));
  }
  // A longer period means that the file is written once, at the end.
  if (!writes_file || write_period_ms >= kSevenDaysMs) return result;
  for (const Source& source : sources)
    if ((source.name == "linux.ftrace" || source.name == "track_event") &&
        source.buffer < discards.size() && discards[source.buffer])
      result.found.push_back({DiagnosticRule::DiscardBufferForStreaming, 0.8});
  return result;
}

}  // namespace tracebraid::proto
