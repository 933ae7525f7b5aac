#include "format/proto/ftrace/ftrace.h"

#include <fmt/format.h>

#include "format/common/proto_wire.h"
#include "format/proto/ftrace/stats.h"
#include "format/proto/generated/fields.h"
#include "format/proto/recording/metadata.h"
#include "format/proto/recording/own.h"

namespace tracebraid::proto {
namespace {

constexpr uint32_t kMaxCpus = 1024;
constexpr uint32_t kFtraceSequenceClock = 64;

// pKVM events are not emitted by a thread (spec proto 5.1).
bool may_lack_pid(uint32_t event) {
  using E = field::FtraceEvent;
  switch (event) {
    case E::kHypEnter:
    case E::kHypExit:
    case E::kHostHcall:
    case E::kHostSmc:
    case E::kHostMemAbort:
    case E::kHostFfaCall:
    case E::kIommuIdmap:
    case E::kPsciMemProtect:
    case E::kHypervisorHypEnter:
    case E::kHypervisorHypExit:
    case E::kHypervisorHostHcall:
    case E::kHypervisorHostSmc:
    case E::kHypervisorHostMemAbort:
    case E::kHypervisorIommuIdmap:
    case E::kHypervisorPsciMemProtect:
    case E::kHypervisorIommuIdmapComplete:
    case E::kHypervisorVcpuIllegalTrap:
      return true;
    default:
      return false;
  }
}

}  // namespace

FtraceReader::Bundle FtraceReader::read_header(std::string_view message) {
  using Field = field::FtraceEventBundle;
  Bundle bundle;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kCpu:
        bundle.cpu = fields.u32();
        break;
      case Field::kLostEvents:
        bundle.lost_events = fields.flag();
        break;
      case Field::kCompactSched:
        bundle.has_compact = true;
        bundle.compact = fields.bytes();
        break;
      case Field::kFtraceClock:
        bundle.clock = fields.u32();
        break;
      case Field::kFtraceTimestamp:
        bundle.ftrace_stamp = fields.i64();
        break;
      case Field::kBootTimestamp:
        bundle.boot_stamp = fields.i64();
        break;
      case Field::kLastReadEventTimestamp:
        bundle.last_read = fields.i64();
        break;
      case Field::kPreviousBundleEndTimestamp:
        bundle.previous_end = fields.i64();
        break;
      case own::kField:
        bundle.own = fields.u32();
        break;
      default:
        break;
    }
  }
  return bundle;
}

// Applies spec clocks 7.4.
Result<ClockChoice> FtraceReader::clock_of(const PacketInfo& packet, const Bundle& bundle) const {
  using Clock = field::FtraceClock;
  switch (bundle.clock) {
    case Clock::kUnspecified:
      return ClockChoice{.domain = field::BuiltinClock::kBoottime, .by_default = true};
    case Clock::kMonoRaw:
      return ClockChoice{.domain = field::BuiltinClock::kMonotonicRaw};
    case Clock::kGlobal:
    case Clock::kLocal:
      return ClockChoice{.domain = kFtraceSequenceClock, .sequence = packet.sequence->id};
    default:
      return fail(ErrorCode::BadInput, "Unable to parse ftrace packets with unknown clock");
  }
}

Result<std::optional<ClockChoice>> FtraceReader::begin_bundle(const PacketInfo& packet,
                                                              const Bundle& bundle,
                                                              FtraceState& state) {
  if (!bundle.cpu) {
    sink_.count(stats::ftrace_bundle_tokenizer_errors, packet.at, {}, packet.machine);
    return std::nullopt;
  }
  if (*bundle.cpu >= kMaxCpus)
    return fail(ErrorCode::BadInput,
                fmt::format("CPU {} is greater than maximum allowed of {}. This is likely because "
                            "of trace corruption (ERR:tp-corrupt)",
                            *bundle.cpu, kMaxCpus));
  if (bundle.lost_events) mark_loss(packet.machine, *bundle.cpu, state);
  own_ = bundle.own;
  TB_TRY_ASSIGN(const ClockChoice clock, clock_of(packet, bundle));
  if (bundle.ftrace_stamp && bundle.boot_stamp && *bundle.ftrace_stamp != state.last_stamp) {
    state.last_stamp = *bundle.ftrace_stamp;
    clocks_.pair(packet.machine, {clock.domain, clock.sequence}, *bundle.ftrace_stamp,
                 {field::BuiltinClock::kBoottime, 0}, *bundle.boot_stamp, packet.at);
  }
  note_start(packet, bundle, clock, state);
  return clock;
}

bool FtraceReader::is_only_compact(std::string_view message) {
  using Field = field::FtraceEventBundle;
  bool has_compact = false;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kEvent || fields.number() == Field::kGenericEventDescriptors)
      return false;
    has_compact |= fields.number() == Field::kCompactSched;
  }
  return has_compact;
}

Result<std::optional<CompactBundle>> FtraceReader::read_compact_bundle(const PacketInfo& packet,
                                                                       std::string_view message,
                                                                       FtraceState& state) {
  const Bundle bundle = read_header(message);
  TB_TRY_ASSIGN(const std::optional<ClockChoice> clock, begin_bundle(packet, bundle, state));
  if (!clock) return std::nullopt;
  return CompactBundle{*bundle.cpu, *clock, bundle.compact};
}

Result<> FtraceReader::read_bundle(const PacketInfo& packet, std::string_view message,
                                   FtraceState& state) {
  const Bundle bundle = read_header(message);
  TB_TRY_ASSIGN(const std::optional<ClockChoice> clock, begin_bundle(packet, bundle, state));
  if (!clock) return {};
  for (Message fields(message); fields.next();)
    if (fields.number() == field::FtraceEventBundle::kGenericEventDescriptors &&
        !add_generic_descriptor(fields.bytes(), state.generic, sink_))
      sink_.count(stats::ftrace_generic_descriptor_errors, packet.at, {}, packet.machine);
  if (bundle.has_compact)
    compact_.read(
        {.machine = packet.machine, .cpu = *bundle.cpu, .at = packet.at}, bundle.compact,
        [&](int64_t ticks) { return clocks_.time(packet.machine, *clock, ticks); }, sink_);
  FtraceEvent event{.packet = packet, .time = {}, .cpu = *bundle.cpu, .message = {}};
  event.is_in_order = own_ == own::kNoRows;
  for (Message fields(message); fields.next();)
    if (fields.number() == field::FtraceEventBundle::kEvent)
      read_event(event, fields.bytes(), *clock, state.generic);
  return {};
}

void FtraceReader::mark_loss(uint32_t machine, uint32_t cpu, FtraceState& state) {
  if (cpu >= state.lossy_cpus.size()) state.lossy_cpus.resize(cpu + 1);
  if (state.lossy_cpus[cpu]) return;
  state.lossy_cpus[cpu] = true;
  sink_.tally(stats::ftrace_cpu_has_data_loss, 1, machine, static_cast<int32_t>(cpu));
}

// Notes the time in the first bundle of each CPU before which events of the CPU may be missing.
void FtraceReader::note_start(const PacketInfo& packet, const Bundle& bundle,
                              const ClockChoice& clock, FtraceState& state) {
  const uint32_t cpu = *bundle.cpu;
  if (cpu >= state.started_cpus.size()) state.started_cpus.resize(cpu + 1);
  if (state.started_cpus[cpu]) return;
  state.started_cpus[cpu] = true;
  const std::optional<int64_t> start = bundle.previous_end ? bundle.previous_end : bundle.last_read;
  if (!start) return;
  add_timed_metadata(clocks_.time(packet.machine, clock, *start), "ftrace_latest_data_start_ns",
                     TimeRule::Latest, sink_);
}

void FtraceReader::read_event(FtraceEvent event, std::string_view message, const ClockChoice& clock,
                              const GenericEvents& generic) {
  using Field = field::FtraceEvent;
  std::optional<int64_t> ticks, tid;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kTimestamp:
        ticks = fields.i64();
        break;
      case Field::kPid:
        tid = fields.i32();
        break;
      case Field::kCommonFlags:
        event.common_flags = fields.u32();
        break;
      default:
        if (event.number != 0 || fields.wire() != Wire::Bytes) break;
        event.number = fields.number();
        event.message = fields.bytes();
        break;
    }
  }
  const PacketInfo& packet = event.packet;
  if (!ticks) {
    sink_.count(stats::ftrace_bundle_tokenizer_errors, packet.at, {}, packet.machine);
    return;
  }
  if (event.number == 0) {
    sink_.count(stats::ftrace_missing_event_id, packet.at, {}, packet.machine);
    return;
  }
  if (!tid && !may_lack_pid(event.number)) {
    sink_.count(stats::ftrace_event_without_pid, packet.at, {}, packet.machine);
    return;
  }
  event.tid = tid.value_or(0);
  event.time = clocks_.time(packet.machine, clock, *ticks);
  if (own_ == own::kRowsOnly) return add_own_row(event);
  if (own_ == own::kNoRows) return apply(event);
  if (event.number >= kFirstGenericEvent) return add_generic(event, generic);
  if (event.number == field::FtraceEvent::kGeneric) return add_legacy(event);
  add_known(event, clock);
  apply(event);
}

}  // namespace tracebraid::proto
