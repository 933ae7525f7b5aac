#include "format/proto/ftrace/ftrace.h"

#include <fmt/format.h>

#include <array>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/plain_args.h"
#include "event/stats.h"
#include "format/proto/ftrace/stats.h"
#include "format/proto/generated/fields.h"
#include "format/proto/recording/metadata.h"
#include "format/proto/recording/own.h"
#include "format/proto/wire/wire.h"
#include "kernel/event_schema.h"

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
      case own::kField:
        bundle.own = fields.u32();
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

void FtraceReader::emit(const FtraceEvent& event, EventKind kind, StringId name, uint32_t args) {
  if (!keep_raw_ && kind == EventKind::FtraceRow) return;
  if (!keep_raw_) kind = EventKind::FtraceMeaning;
  sink_.event(make_kernel_event(event.time, kind,
                                {.cpu = event.cpu,
                                 .tid = event.tid,
                                 .name = name,
                                 .args = args,
                                 .flags = event.common_flags}),
              event.rank());
}

// Spec proto 5.2.
void FtraceReader::add_known(const FtraceEvent& event, const ClockChoice& clock) {
  const FtraceEventSchema schema = ftrace_event_schema(event.number);
  if (schema.name.empty()) return;
  sink_.open_args();
  call_args_ = 0;
  for (Message fields(event.message); fields.next();) {
    for (size_t i = 0; i < schema.fields.size(); ++i) {
      if (schema.fields[i].number != fields.number()) continue;
      add_raw_arg(event, schema.fields[i], fields, raw_key(schema, i));
      break;
    }
  }
  const uint32_t args = sink_.close_args();
  const StringId name = sink_.string(schema.name);
  const std::optional<EventTime> meant = own_time(event, clock);
  emit(event, meant ? EventKind::FtraceRow : EventKind::FtraceEvent, name, args);
  if (!meant) return;
  sink_.event(make_kernel_event(*meant, EventKind::FtraceMeaning,
                                {.cpu = event.cpu, .tid = event.tid, .name = name, .args = args}),
              event.rank());
}

// When what the event is about happened, if it says so itself (spec proto 5.5).
std::optional<EventTime> FtraceReader::own_time(const FtraceEvent& event,
                                                const ClockChoice& clock) {
  using E = field::FtraceEvent;
  std::string_view key = "timestamp";
  ClockChoice choice = clock;
  switch (event.number) {
    case E::kGpuWorkPeriod:
      key = "start_time_ns";
      choice = {.domain = field::BuiltinClock::kMonotonicRaw};
      break;
    case E::kThermalExynosAcpmBulk:
    case E::kParamSetValueCpm:
    case E::kFwtpPerfettoCounter:
    case E::kFwtpPerfettoSlice:
      break;
    default:
      return std::nullopt;
  }
  int64_t ticks = 0;
  for (Message fields(event.message); fields.next();)
    for (const FtraceField& field : ftrace_event_schema(event.number).fields)
      if (field.number == fields.number() && field.name == key) ticks = fields.i64();
  return clocks_.time(event.packet.machine, choice, ticks);
}

void FtraceReader::add_legacy(const FtraceEvent& event) {
  sink_.open_args();
  const std::string_view name = add_legacy_args(event.message, sink_);
  emit(event, EventKind::FtraceEvent, sink_.string(name), sink_.close_args());
}

// A row as our exporter keeps it: an event of field 327 with its args as they were.
void FtraceReader::add_own_row(const FtraceEvent& event) {
  StringId name;
  sink_.open_args();
  for (Message fields(event.message); fields.next();) {
    if (fields.number() == field::GenericFtraceEvent::kEventName)
      name = sink_.string(fields.bytes());
    if (fields.number() == own::kField) own::add_arg(fields.message(), sink_);
  }
  const uint32_t args = sink_.close_args();
  emit(event, EventKind::FtraceRow, name, args);
}

void FtraceReader::add_generic(const FtraceEvent& event, const GenericEvents& generic) {
  const PacketInfo& packet = event.packet;
  const auto known = generic.find(event.number);
  if (known == generic.end()) {
    sink_.count(stats::ftrace_generic_descriptor_errors, packet.at, {}, packet.machine);
    return;
  }
  sink_.open_args();
  const GenericArgs found = add_generic_args(known->second, event.message, sink_);
  const uint32_t args = sink_.close_args();
  if (found.has_unknown_fields)
    sink_.count(stats::ftrace_generic_descriptor_errors, packet.at, {}, packet.machine);
  if (found.lacks_fields)
    sink_.count(stats::kernel_trackevent_format_error, packet.at, {}, packet.machine);
  emit(event, found.lacks_fields ? EventKind::FtraceRow : EventKind::FtraceEvent,
       known->second.name, args);
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
    case Bytes:
      sink_.arg(key, ArgType::String, sink_.string(value.bytes()).row);
      break;
    case Other:  // numbers with names
      if (value.wire() == Wire::Varint) sink_.arg(key, ArgType::Int, value.i64());
      break;
  }
}

// Repeated numbers may be packed. The last one counts, but for those of a call. Addresses of kernel
// functions are shown by name where the recorder knew it.
void FtraceReader::add_raw_uint(const FtraceEvent& event, const FtraceField& field,
                                const Message& value, uint32_t key) {
  if (event.number == field::FtraceEvent::kSysEnter) return add_call_args(field, value);
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

void FtraceReader::add_call_args(const FtraceField& field, const Message& value) {
  constexpr size_t kMaxCallArgs = 16;
  const StringId flat = sink_.string(field.name);
  for_each_varint(value, [&](uint64_t each) {
    const size_t index = call_args_++;
    if (index >= kMaxCallArgs) return;
    const StringId key = sink_.string(fmt::format("{}[{}]", field.name, index));
    sink_.arg(sink_.arg_key({flat, key}), ArgType::Uint, static_cast<int64_t>(each));
  });
}

}  // namespace tracebraid::proto
