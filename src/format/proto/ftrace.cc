#include "format/proto/ftrace.h"

#include <fmt/format.h>

#include <array>

#include "format/plain_args.h"
#include "format/proto/fields.h"
#include "format/proto/ftrace_schema.h"
#include "format/proto/metadata.h"
#include "format/proto/wire.h"

namespace tracebraid::proto {
namespace {

constexpr uint32_t kMaxCpus = 1024;
constexpr uint32_t kFtraceSequenceClock = 64;

// Fields that hold an address of a kernel function (spec proto 5.2).
bool is_kernel_address(uint32_t event, uint32_t field_number) {
  using E = field::FtraceEvent;
  switch (event) {
    case E::kSchedBlockedReason:
    case E::kWorkqueueQueueWork:
    case E::kWorkqueueExecuteStart:
    case E::kWorkqueueExecuteEnd:
    case E::kFuncgraphEntry:
      return field_number == 2;
    case E::kWorkqueueActivateWork:
      return field_number == 2;
    case E::kFuncgraphExit:
    case E::kHrtimerExpireEntry:
      return field_number == 3;
    case E::kMmShrinkSlabStart:
      return field_number == 8;
    default:
      return false;
  }
}

// pKVM events come from where no thread runs (spec proto 5.1).
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
      default:
        break;
    }
  }
  return bundle;
}

// Spec clocks 7.4.
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

Result<> FtraceReader::read_bundle(const PacketInfo& packet, std::string_view message,
                                   FtraceState& state) {
  const Bundle bundle = read_header(message);
  if (!bundle.cpu) {
    sink_.count(Stat::ftrace_bundle_tokenizer_errors, packet.at, {}, packet.machine);
    return {};
  }
  if (*bundle.cpu >= kMaxCpus)
    return fail(ErrorCode::BadInput,
                fmt::format("CPU {} is greater than maximum allowed of {}. This is likely because "
                            "of trace corruption (ERR:tp-corrupt)",
                            *bundle.cpu, kMaxCpus));
  if (bundle.lost_events) mark_loss(packet.machine, *bundle.cpu, state);
  TB_TRY_ASSIGN(const ClockChoice clock, clock_of(packet, bundle));
  if (bundle.ftrace_stamp && bundle.boot_stamp && *bundle.ftrace_stamp != state.last_stamp) {
    state.last_stamp = *bundle.ftrace_stamp;
    clocks_.pair(packet.machine, {clock.domain, clock.sequence}, *bundle.ftrace_stamp,
                 {field::BuiltinClock::kBoottime, 0}, *bundle.boot_stamp, packet.at);
  }
  note_start(packet, bundle, clock, state);
  FtraceEvent event{.packet = packet, .time = {}, .cpu = *bundle.cpu, .message = {}};
  if (bundle.has_compact) read_compact(event, bundle.compact, clock);
  for (Message fields(message); fields.next();)
    if (fields.number() == field::FtraceEventBundle::kEvent)
      read_event(event, fields.bytes(), clock);
  return {};
}

void FtraceReader::mark_loss(uint32_t machine, uint32_t cpu, FtraceState& state) {
  if (cpu >= state.lossy_cpus.size()) state.lossy_cpus.resize(cpu + 1);
  if (state.lossy_cpus[cpu]) return;
  state.lossy_cpus[cpu] = true;
  sink_.tally(Stat::ftrace_cpu_has_data_loss, 1, machine, static_cast<int32_t>(cpu));
}

// From the first bundle of each CPU: before this time the CPU may lack events.
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

void FtraceReader::read_event(FtraceEvent event, std::string_view message,
                              const ClockChoice& clock) {
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
    sink_.count(Stat::ftrace_bundle_tokenizer_errors, packet.at, {}, packet.machine);
    return;
  }
  if (event.number == 0) {
    sink_.count(Stat::ftrace_missing_event_id, packet.at, {}, packet.machine);
    return;
  }
  if (!tid && !may_lack_pid(event.number)) {
    sink_.count(Stat::ftrace_event_without_pid, packet.at, {}, packet.machine);
    return;
  }
  event.tid = tid.value_or(0);
  event.time = clocks_.time(packet.machine, clock, *ticks);
  add_stated(event);
  apply(event);
}

// The event as it stands (spec proto 5.2).
void FtraceReader::add_stated(const FtraceEvent& event) {
  const FtraceEventSchema schema = ftrace_event_schema(event.number);
  if (schema.name.empty()) return;
  Event row = make_event(event.time, keep_raw_ ? EventKind::FtraceEvent : EventKind::FtraceMeaning,
                         event.cpu);
  row.name = sink_.string(schema.name);
  row.value = event.tid;
  row.extra = event.common_flags;
  sink_.open_args();
  for (Message fields(event.message); fields.next();) {
    for (size_t i = 0; i < schema.fields.size(); ++i) {
      if (schema.fields[i].number != fields.number()) continue;
      add_raw_arg(event, schema.fields[i], fields, raw_key(schema, i));
      break;
    }
  }
  row.args = sink_.close_args();
  sink_.event(row, event.rank());
}

uint32_t FtraceReader::raw_key(const FtraceEventSchema& schema, size_t field) {
  if (raw_keys_.empty()) raw_keys_.resize(ftrace_field_count(), kNone);
  uint32_t& key = raw_keys_[schema.first_field + field];
  if (key == kNone) key = plain_key(schema.fields[field].name, sink_);
  return key;
}

void FtraceReader::add_raw_arg(const FtraceEvent& event, const FtraceField& field,
                               const Message& value, uint32_t key) {
  using enum FtraceFieldType;
  switch (field.type) {
    case Int32:
      sink_.arg(key, ArgType::Int, value.i32());
      break;
    case Int64:
      sink_.arg(key, ArgType::Int, value.i64());
      break;
    case Uint32:
    case Uint64:
      add_raw_uint(event, field, value, key);
      break;
    case String:
      sink_.arg(key, ArgType::String, sink_.string(value.bytes()).row);
      break;
    case Bytes:
    case Other:
      break;
  }
}

// Repeated numbers may be packed; the last one counts. Addresses of kernel functions are
// shown by name where the recorder knew it.
void FtraceReader::add_raw_uint(const FtraceEvent& event, const FtraceField& field,
                                const Message& value, uint32_t key) {
  uint64_t number = 0;
  for_each_varint(value, [&](uint64_t each) { number = each; });
  if (is_kernel_address(event.number, field.number)) {
    const StringId* symbol = event.packet.sequence->find(&InternedData::kernel_symbols, number);
    if (symbol != nullptr) {
      sink_.arg(key, ArgType::String, symbol->row);
      return;
    }
  }
  sink_.arg(key, ArgType::Uint, static_cast<int64_t>(number));
}

}  // namespace tracebraid::proto
