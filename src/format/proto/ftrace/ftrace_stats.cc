#include "format/proto/ftrace/ftrace_stats.h"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "event/stats.h"
#include "format/common/proto_wire.h"
#include "format/proto/ftrace/stats.h"
#include "format/proto/generated/fields.h"

namespace tracebraid::proto {
namespace {

using Stats = field::FtraceStats;

// A number that is counted at the start and at the end.
struct Counted {
  StatId begin, end;
  std::optional<StatId> delta;
};

Counted counted(uint32_t field) {
  using Cpu = field::FtraceCpuStats;
  switch (field) {
    case Cpu::kEntries:
      return {stats::ftrace_cpu_entries_begin, stats::ftrace_cpu_entries_end,
              stats::ftrace_cpu_entries_delta};
    case Cpu::kOverrun:
      return {stats::ftrace_cpu_overrun_begin, stats::ftrace_cpu_overrun_end,
              stats::ftrace_cpu_overrun_delta};
    case Cpu::kCommitOverrun:
      return {stats::ftrace_cpu_commit_overrun_begin, stats::ftrace_cpu_commit_overrun_end,
              stats::ftrace_cpu_commit_overrun_delta};
    case Cpu::kBytesRead:
      return {stats::ftrace_cpu_bytes_begin, stats::ftrace_cpu_bytes_end,
              stats::ftrace_cpu_bytes_delta};
    case Cpu::kOldestEventTs:
      return {stats::ftrace_cpu_oldest_event_ts_begin, stats::ftrace_cpu_oldest_event_ts_end, {}};
    case Cpu::kNowTs:
      return {stats::ftrace_cpu_now_ts_begin, stats::ftrace_cpu_now_ts_end, {}};
    case Cpu::kDroppedEvents:
      return {stats::ftrace_cpu_dropped_events_begin, stats::ftrace_cpu_dropped_events_end,
              stats::ftrace_cpu_dropped_events_delta};
    default:
      return {stats::ftrace_cpu_read_events_begin, stats::ftrace_cpu_read_events_end,
              stats::ftrace_cpu_read_events_delta};
  }
}

// Converts seconds to ns, saturating.
int64_t ns_of(double seconds) {
  const double ns = seconds * 1e9;
  if (!(ns > -9.2e18)) return 0;
  return ns < 9.2e18 ? static_cast<int64_t>(ns) : std::numeric_limits<int64_t>::max();
}

class StatsReader {
 public:
  StatsReader(bool is_start, FtraceCounts& at_start, LatestStats& stats)
      : is_start_(is_start), at_start_(at_start), stats_(stats) {}

  void read_cpu(Message fields) {
    using Cpu = field::FtraceCpuStats;
    int32_t cpu = 0;
    std::vector<std::pair<uint32_t, int64_t>> values;
    while (fields.next()) {
      const uint32_t number = fields.number();
      if (number == Cpu::kCpu) cpu = fields.i32();
      if (number == Cpu::kOldestEventTs || number == Cpu::kNowTs)
        values.emplace_back(number, ns_of(fields.real()));
      else if (number >= Cpu::kEntries && number <= Cpu::kReadEvents)
        values.emplace_back(number, fields.i64());
    }
    if (cpu < 0) return;
    for (const auto& [number, value] : values) add(counted(number), cpu, value);
  }

  void read_kprobes(Message fields) {
    using Kprobe = field::FtraceKprobeStats;
    while (fields.next()) {
      if (fields.number() == Kprobe::kHits)
        add({stats::ftrace_kprobe_hits_begin, stats::ftrace_kprobe_hits_end,
             stats::ftrace_kprobe_hits_delta},
            -1, fields.i64());
      if (fields.number() == Kprobe::kMisses)
        add({stats::ftrace_kprobe_misses_begin, stats::ftrace_kprobe_misses_end,
             stats::ftrace_kprobe_misses_delta},
            -1, fields.i64());
    }
  }

 private:
  void add(const Counted& what, int32_t index, int64_t value) {
    stats_.set(is_start_ ? what.begin : what.end, value, index);
    if (is_start_) {
      at_start_[{what.begin, index}] = value;
      return;
    }
    const auto start = at_start_.find({what.begin, index});
    int64_t delta = 0;
    if (what.delta && start != at_start_.end() &&
        !__builtin_sub_overflow(value, start->second, &delta))
      stats_.set(*what.delta, delta, index);
  }

  bool is_start_;
  FtraceCounts& at_start_;
  LatestStats& stats_;
};

// Adds a row of the import log for each failure to set up tracing.
void add_setup_errors(const PacketInfo& packet, std::string_view message, EventSink& sink) {
  const auto add = [&](std::string_view what, std::string_view which) {
    sink.count(stats::ftrace_setup_errors, packet.at, fmt::format("{}: {}", what, which),
               packet.machine);
  };
  const auto add_all = [&](uint32_t number, std::string_view what) {
    for (Message fields(message); fields.next();)
      if (fields.number() == number && !fields.bytes().empty()) add(what, fields.bytes());
  };
  add_all(Stats::kFailedFtraceEvents, "Ftrace event failed");
  add_all(Stats::kUnknownFtraceEvents, "Ftrace event unknown");
  add_all(Stats::kAtraceErrors, "Atrace failures");
  add_all(Stats::kExclusiveFeatureError, "Ftrace exclusive feature error");
}

std::string_view status_name(uint64_t status) {
  using S = field::FtraceParseStatus;
  switch (status) {
#define TB_STATUS(value, name) \
  case S::value:               \
    return "FTRACE_STATUS_" name;
    TB_STATUS(kUnspecified, "UNSPECIFIED")
    TB_STATUS(kOk, "OK")
    TB_STATUS(kUnexpectedReadError, "UNEXPECTED_READ_ERROR")
    TB_STATUS(kPartialPageRead, "PARTIAL_PAGE_READ")
    TB_STATUS(kAbiInvalidPageHeader, "ABI_INVALID_PAGE_HEADER")
    TB_STATUS(kAbiShortEventHeader, "ABI_SHORT_EVENT_HEADER")
    TB_STATUS(kAbiNullPadding, "ABI_NULL_PADDING")
    TB_STATUS(kAbiShortPaddingLength, "ABI_SHORT_PADDING_LENGTH")
    TB_STATUS(kAbiInvalidPaddingLength, "ABI_INVALID_PADDING_LENGTH")
    TB_STATUS(kAbiShortTimeExtend, "ABI_SHORT_TIME_EXTEND")
    TB_STATUS(kAbiShortTimeStamp, "ABI_SHORT_TIME_STAMP")
    TB_STATUS(kAbiShortDataLength, "ABI_SHORT_DATA_LENGTH")
    TB_STATUS(kAbiZeroDataLength, "ABI_ZERO_DATA_LENGTH")
    TB_STATUS(kAbiInvalidDataLength, "ABI_INVALID_DATA_LENGTH")
    TB_STATUS(kAbiShortEventId, "ABI_SHORT_EVENT_ID")
    TB_STATUS(kAbiEndOverflow, "ABI_END_OVERFLOW")
    TB_STATUS(kShortCompactEvent, "SHORT_COMPACT_EVENT")
    TB_STATUS(kInvalidEvent, "INVALID_EVENT")
#undef TB_STATUS
    default:
      return "unknown";
  }
}

Result<> check_status(const PacketInfo& packet, std::string_view message, EventSink& sink) {
  std::string fatal;
  for (Message fields(message); fields.next();) {
    if (fields.number() != Stats::kFtraceParseErrors) continue;
    for_each_varint(fields, [&](uint64_t status) {
      if (status == field::FtraceParseStatus::kAbiZeroDataLength) {
        sink.tally(stats::ftrace_abi_errors_skipped_zero_data_length, 1, packet.machine);
        return;
      }
      if (!fatal.empty()) fatal += ", ";
      fatal += status_name(status);
    });
  }
  if (fatal.empty()) return {};
  return fail(ErrorCode::BadInput,
              fmt::format("Trace was recorded with critical ftrace parsing errors, indicating a "
                          "bug in the recorder or the kernel: {} (ERR:ftrace_parse)",
                          fatal));
}

}  // namespace

Result<> read_ftrace_stats(const PacketInfo& packet, std::string_view message,
                           FtraceCounts& at_start, LatestStats& stats, EventSink& sink) {
  using Phase = field::FtraceStats_Phase;
  uint64_t phase = Phase::kUnspecified;
  bool keeps_buffer = false;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Stats::kPhase) phase = fields.u64();
    if (fields.number() == Stats::kPreserveFtraceBuffer) keeps_buffer = fields.flag();
  }
  if (phase != Phase::kStartOfTrace && phase != Phase::kEndOfTrace) return {};
  const bool is_start = phase == Phase::kStartOfTrace;
  if (is_start && keeps_buffer)  // recorded, so that no event is dropped later
    sink.tally(stats::ftrace_packet_before_tracing_start, 0, packet.machine);
  StatsReader reader(is_start, at_start, stats);
  for (Message fields(message); fields.next();) {
    if (fields.number() == Stats::kCpuStats) reader.read_cpu(fields.message());
    if (fields.number() == Stats::kKprobeStats) reader.read_kprobes(fields.message());
  }
  if (is_start && !std::exchange(packet.sequence->has_ftrace_start, true))
    add_setup_errors(packet, message, sink);
  return check_status(packet, message, sink);
}

}  // namespace tracebraid::proto
