// Ftrace events as rows of ftrace_event with their fields (spec proto 5.2).
#include "format/proto/ftrace/ftrace.h"

#include <fmt/format.h>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/plain_args.h"
#include "event/stats.h"
#include "format/common/proto_wire.h"
#include "format/proto/ftrace/stats.h"
#include "format/proto/generated/fields.h"
#include "format/proto/recording/own.h"
#include "kernel/event_schema.h"

namespace tracebraid::proto {
namespace {

// Returns whether the field holds the address of a kernel function (spec proto 5.2).
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

}  // namespace

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

// Returns the time in the event itself, if it has one (spec proto 5.5).
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

// Adds a row of our exporter: an event of field 327 with its original args.
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

// Repeated numbers may be packed. The last one applies, except for those of a call. Addresses of
// kernel functions are replaced by names that the recorder knew.
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
