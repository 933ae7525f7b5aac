#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/recording/own.h"
#include "format/proto/track_event/track_event.h"

namespace tracebraid::proto {
namespace {

using Field = field::TrackEvent;

// Returns whether a field becomes args by its descriptor (spec proto 2.8, item 8).
bool is_typed(uint32_t number) {
  return (number >= 24 && number <= 29) || (number >= 38 && number <= 41) || number >= 1000 ||
         number == Field::kSourceLocation || number == 32 || number == 35 || number == 43 ||
         number == 49 || number == Field::kScreenshot;
}

}  // namespace

void TrackEventFields::reset() {
  const auto keep = [](auto& list) { list.clear(); };
  TrackEventFields& all = *this;
  type = 0;
  track_uuid.reset();
  name_iid = 0;
  has_name = has_legacy = has_log_message = has_correlation_text = has_annotations = false;
  delta_us.reset();
  absolute_us.reset();
  thread_delta_us.reset();
  thread_absolute_us.reset();
  instructions_delta.reset();
  instructions_absolute.reset();
  counter_value.reset();
  task_execution = {};
  own = {};
  has_anchors = false;
  source_location_iid = 0;
  correlation_id.reset();
  correlation_iid.reset();
  has_callstack = false;
  callstack_iid.reset();
  callstack_weight.reset();
  keep(all.typed);
  keep(all.category_iids);
  keep(all.categories);
  keep(all.flows);
  keep(all.old_flows);
  keep(all.ended_flows);
  keep(all.old_ended_flows);
  keep(all.counter_uuids);
  keep(all.real_counter_uuids);
  keep(all.counter_values);
  keep(all.real_counter_values);
}

void TrackEventFields::read(std::string_view message) {
  reset();
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kType:
        type = fields.u32();
        break;
      case Field::kTrackUuid:
        track_uuid = fields.u64();
        break;
      case Field::kNameIid:
        name_iid = fields.u64();
        break;
      case Field::kName:
        name = fields.bytes();
        has_name = true;
        break;
      case Field::kCategoryIids:
        for_each_varint(fields, [&](uint64_t iid) { category_iids.push_back(iid); });
        break;
      case Field::kCategories:
        categories.push_back(fields.bytes());
        break;
      case Field::kDebugAnnotations:
        has_annotations = true;
        break;
      case Field::kCounterValue:
        counter_value = static_cast<double>(fields.i64());
        break;
      case Field::kDoubleCounterValue:
        if (!counter_value) counter_value = fields.real();
        break;
      case Field::kFlowIds:
        for_each_fixed64(fields, [&](uint64_t id) { flows.push_back(id); });
        break;
      case Field::kTerminatingFlowIds:
        for_each_fixed64(fields, [&](uint64_t id) { ended_flows.push_back(id); });
        break;
      default:
        read_rare(fields);
        break;
    }
  }
}

void TrackEventFields::read_rare(const Message& fields) {
  switch (fields.number()) {
    case Field::kTimestampDeltaUs:
      delta_us = fields.i64();
      break;
    case Field::kTimestampAbsoluteUs:
      absolute_us = fields.i64();
      break;
    case Field::kThreadTimeDeltaUs:
      thread_delta_us = fields.i64();
      break;
    case Field::kThreadTimeAbsoluteUs:
      thread_absolute_us = fields.i64();
      break;
    case Field::kThreadInstructionCountDelta:
      instructions_delta = fields.i64();
      break;
    case Field::kThreadInstructionCountAbsolute:
      instructions_absolute = fields.i64();
      break;
    case Field::kLegacyEvent:
      legacy = fields.bytes();
      has_legacy = true;
      break;
    case Field::kTaskExecution:
      task_execution = fields.bytes();
      break;
    case Field::kLogMessage:
      log_message = fields.bytes();
      has_log_message = true;
      break;
    case Field::kSourceLocationIid:
      source_location_iid = fields.u64();
      typed.push_back(fields);
      break;
    case Field::kCorrelationId:
      correlation_id = fields.u64();
      break;
    case Field::kCallstack:
      callstack = fields.bytes();
      has_callstack = true;
      break;
    case Field::kCallstackIid:
      callstack_iid = fields.u64();
      break;
    case Field::kCallstackWeight:
      callstack_weight = fields.real();
      break;
    case Field::kCorrelationIdStr:
      correlation_text = fields.bytes();
      has_correlation_text = true;
      break;
    case Field::kCorrelationIdStrIid:
      correlation_iid = fields.u64();
      break;
    case own::kField:
      own = fields.bytes();
      for (Message parts(own); parts.next();) {
        if (parts.number() == own::Event::kAnchors) has_anchors = parts.flag();
        if (parts.number() == own::Event::kTrack) track_uuid = parts.u64();
      }
      break;
    case Field::kFlowIdsOld:
      for_each_varint(fields, [&](uint64_t id) { old_flows.push_back(id); });
      break;
    case Field::kTerminatingFlowIdsOld:
      for_each_varint(fields, [&](uint64_t id) { old_ended_flows.push_back(id); });
      break;
    case Field::kExtraCounterTrackUuids:
      for_each_varint(fields, [&](uint64_t uuid) { counter_uuids.push_back(uuid); });
      break;
    case Field::kExtraCounterValues:
      for_each_varint(
          fields, [&](uint64_t value) { counter_values.push_back(static_cast<int64_t>(value)); });
      break;
    case Field::kExtraDoubleCounterTrackUuids:
      for_each_varint(fields, [&](uint64_t uuid) { real_counter_uuids.push_back(uuid); });
      break;
    case Field::kExtraDoubleCounterValues:
      if (fields.wire() == Wire::Bytes)
        for_each_fixed64(fields, [&](uint64_t bits) {
          real_counter_values.push_back(std::bit_cast<double>(bits));
        });
      else
        real_counter_values.push_back(fields.real());
      break;
    default:
      if (is_typed(fields.number())) typed.push_back(fields);
      break;
  }
}

LegacyEvent read_legacy_event(std::string_view message) {
  using Legacy = field::TrackEvent_LegacyEvent;
  LegacyEvent event;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Legacy::kNameIid:
        event.name_iid = fields.u64();
        break;
      case Legacy::kPhase:
        event.phase = static_cast<char>(fields.i32());
        break;
      case Legacy::kDurationUs:
        event.duration_us = fields.i64();
        break;
      case Legacy::kThreadDurationUs:
        event.thread_duration_us = fields.i64();
        break;
      case Legacy::kUnscopedId:
        event.unscoped_id = fields.u64();
        break;
      case Legacy::kLocalId:
        event.local_id = fields.u64();
        break;
      case Legacy::kGlobalId:
        event.global_id = fields.u64();
        break;
      case Legacy::kIdScope:
        event.id_scope = fields.bytes();
        event.has_id_scope = true;
        break;
      case Legacy::kBindId:
        event.bind_id = fields.u64();
        break;
      case Legacy::kUseAsyncTts:
        event.use_async_tts = fields.flag();
        break;
      case Legacy::kBindToEnclosing:
        event.bind_to_enclosing = fields.flag();
        break;
      case Legacy::kFlowDirection:
        event.flow_direction = fields.u32();
        break;
      case Legacy::kInstantEventScope:
        event.instant_scope = fields.u32();
        break;
      case Legacy::kThreadInstructionDelta:
        event.instruction_delta = fields.i64();
        break;
      case Legacy::kPidOverride:
        event.pid_override = fields.i32();
        break;
      case Legacy::kTidOverride:
        event.tid_override = fields.i32();
        break;
      default:
        break;
    }
  }
  return event;
}

CountsOn counts_on(std::string_view message) {
  CountsOn counts;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kTimestampDeltaUs:
      case Field::kTimestampAbsoluteUs:
      case Field::kThreadTimeDeltaUs:
      case Field::kThreadInstructionCountDelta:
        counts.times = true;
        break;
      case Field::kCounterValue:
      case Field::kDoubleCounterValue:
      case Field::kExtraCounterValues:
      case Field::kExtraDoubleCounterValues:
        counts.values = true;
        break;
      default:
        break;
    }
  }
  return counts;
}

bool has_thread_override(std::string_view message) {
  for (Message fields(message); fields.next();) {
    if (fields.number() != field::TrackEvent::kLegacyEvent) continue;
    const LegacyEvent legacy = read_legacy_event(fields.bytes());
    if (legacy.pid_override || legacy.tid_override) return true;
  }
  return false;
}

}  // namespace tracebraid::proto
