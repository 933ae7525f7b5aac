// Emits a TrackEvent by its type, or by the phase of its legacy event (spec proto 2.6).
#include <limits>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/common/proto_wire.h"
#include "format/common/stats.h"
#include "format/proto/generated/fields.h"
#include "format/proto/names.h"
#include "format/proto/track_event/track_event.h"

namespace tracebraid::proto {
namespace {

using Type = field::TrackEvent_Type;
using InstantScope = field::TrackEvent_LegacyEvent_InstantEventScope;

char phase_of_type(uint32_t type) {
  switch (type) {
    case Type::kSliceBegin:
      return 'B';
    case Type::kSliceEnd:
      return 'E';
    case Type::kInstant:
      return 'i';
    default:
      return 0;
  }
}

std::optional<int64_t> checked_ns(int64_t us) {
  int64_t ns = 0;
  if (__builtin_mul_overflow(us, int64_t{1000}, &ns)) return std::nullopt;
  return ns;
}

}  // namespace

void TrackEventReader::emit(Current& event) {
  char phase = phase_of_type(fields_.type);
  if (phase == 0 && fields_.has_legacy) phase = legacy_.phase;
  if (phase == 0) return lose(event);
  if (fields_.has_legacy && legacy_.phase != 0 && !find_legacy_track(event)) return lose(event);
  emit_phase(event, phase);
}

void TrackEventReader::emit_phase(Current& event, char phase) {
  switch (phase) {
    case 'B':
    case 'b':
    case 'S':
      emit_slice(event, EventKind::SliceBegin);
      break;
    case 'E':
    case 'e':
    case 'F':
      emit_slice(event, EventKind::SliceEnd);
      break;
    case 'i':
    case 'I':
    case 'R':
    case 'n':
    case 'T':
    case 'p':
      emit_slice(event, EventKind::Instant);
      break;
    case 'X':
      emit_complete(event);
      break;
    case 's':
    case 't':
    case 'f':
      emit_flow(event, phase);
      break;
    case 'M':
      if (!emit_metadata(event)) emit_raw(event);
      break;
    default:
      emit_raw(event);
      break;
  }
}

void TrackEventReader::emit_slice(Current& event, EventKind kind) {
  EventParts parts = parts_of(event);
  parts.args = args_of(event);
  const bool is_instant = kind == EventKind::Instant;
  if (kind != EventKind::State)
    parts.extra = extra_of(event, is_instant ? 0 : kUnset, is_instant ? 0 : kUnset);
  sink_.event(make_slice_event(event.time, kind, event.track, 0, parts));
}

void TrackEventReader::emit_complete(Current& event) {
  const std::optional<int64_t> dur = checked_ns(legacy_.duration_us.value_or(0));
  if (!dur || *dur < 0) return lose(event);
  EventParts parts = parts_of(event);
  parts.args = args_of(event);
  int64_t thread_dur = kUnset;
  if (legacy_.thread_duration_us)
    thread_dur = checked_ns(*legacy_.thread_duration_us).value_or(kUnset);
  parts.extra = extra_of(event, thread_dur, legacy_.instruction_delta.value_or(kUnset));
  sink_.event(make_slice(event.time, event.track, *dur, parts));
}

// A legacy phase may use another track than the event names. Returns false if that track cannot be
// determined.
bool TrackEventReader::find_legacy_track(Current& event) {
  if (is_async_phase(legacy_.phase)) return find_async_track(event);
  if (legacy_.phase != 'i' && legacy_.phase != 'I') return true;
  if (legacy_.instant_scope != InstantScope::kGlobal &&
      legacy_.instant_scope != InstantScope::kProcess)
    return true;
  TrackName name{.machine = event.packet.machine};
  if (legacy_.instant_scope == InstantScope::kProcess) {
    event.process = process_of(event);
    if (event.process == kNone) return false;
    name.scope = TrackScope::Process;
    name.owner = event.process;
  }
  name.type = sink_.string(name.scope == TrackScope::Process ? "chrome_process_instant"
                                                             : "legacy_chrome_global_instants");
  if (event.thread != kNone) event.writer = event.thread;
  event.scope = name.scope;
  event.thread = kNone;
  uint32_t& track = instant_tracks_[{event.packet.machine, name.owner}];
  if (track == 0) {
    sink_.open_args();
    add_text("source", "chrome", sink_);
    name.source_args = sink_.close_args();
    track = sink_.track(name) + 1;
  }
  event.track = track - 1;
  return true;
}

// Returns the process of the event's thread or track.
uint32_t TrackEventReader::process_of(const Current& event) {
  if (event.process != kNone) return event.process;
  const uint32_t thread = event.thread != kNone ? event.thread : event.writer;
  if (thread == kNone) return kNone;
  const int64_t pid = sink_.batch().threads[thread].pid;
  if (pid == kNoId) return kNone;
  return sink_.process({.machine = event.packet.machine, .pid = pid});
}

bool TrackEventReader::find_async_track(Current& event) {
  const bool is_local = !legacy_.unscoped_id && !legacy_.global_id && legacy_.local_id;
  const auto id = legacy_.any_id();
  const uint32_t process = process_of(event);
  if (!id || (is_local && process == kNone)) return false;
  const bool is_nestable = std::string_view("ben").find(legacy_.phase) != std::string_view::npos;
  StringId scope = is_nestable ? event.category : event.name;
  if (legacy_.has_id_scope && !legacy_.id_scope.empty()) {
    text_ = event.category ? sink_.batch().strings.get(event.category) : std::string_view();
    text_ += ':';
    text_ += legacy_.id_scope;
    scope = sink_.string(text_);
  }
  if (event.thread != kNone) event.writer = event.thread;
  event.thread = kNone;
  event.process = is_local ? process : kNone;
  event.scope = is_local ? TrackScope::Process : TrackScope::Global;
  const AsyncKey key{event.packet.machine, process, is_local, scope, *id};
  const auto [at, added] = async_tracks_.try_emplace(key, 0);
  if (added) at->second = add_async_track(key);
  event.track = at->second;
  return true;
}

uint32_t TrackEventReader::add_async_track(const AsyncKey& key) {
  TrackName name{.scope = key.is_local ? TrackScope::Process : TrackScope::Global,
                 .lanes = Lanes::ByCookie,
                 .named_by_first_event = true,
                 .machine = key.machine,
                 .owner = key.is_local ? key.process : kNone,
                 .cookie = key.id};
  name.type =
      sink_.string(key.is_local ? "legacy_async_process_slice" : "legacy_async_global_slice");
  sink_.open_args();
  add_text("scope", key.scope, sink_);
  name.dimensions = sink_.close_args();
  sink_.open_args();
  add_text("source", "chrome", sink_);
  add_text("source_scope", key.scope, sink_);
  add_int("trace_id_is_process_scoped", key.is_local ? 1 : 0, sink_, ArgType::Bool);
  if (key.process != kNone) add_int("upid", key.process, sink_, ArgType::ProcessUint);
  name.source_args = sink_.close_args();
  return sink_.track(name);
}

// Flows of version 1 are separate events.
void TrackEventReader::emit_flow(Current& event, char phase) {
  const auto id = legacy_.unscoped_id ? legacy_.unscoped_id
                  : legacy_.local_id  ? legacy_.local_id
                                      : legacy_.global_id;
  if (!id) {
    sink_.tally(stats::flow_invalid_id, 1, event.packet.machine);
    ++event.errors;
    return;
  }
  EventKind kind = EventKind::FlowStart;
  if (phase == 't') kind = EventKind::FlowStep;
  if (phase == 'f') kind = legacy_.bind_to_enclosing ? EventKind::FlowEndHere : EventKind::FlowEnd;
  sink_.event(
      make_flow(event.time, kind, event.track, static_cast<uint64_t>(*id), parts_of(event)));
}

std::string_view TrackEventReader::annotation_name(const Current& event, Message annotation) const {
  using Field = field::DebugAnnotation;
  std::string_view name;
  while (annotation.next()) {
    if (annotation.number() == Field::kName) name = annotation.bytes();
    if (annotation.number() == Field::kNameIid)
      if (const auto* known =
              event.packet.sequence->find(&InternedData::annotation_names, annotation.u64()))
        return sink_.batch().strings.get(known->text);
  }
  return name;
}

// Returns the string value of a debug annotation; none if there is none.
StringId TrackEventReader::annotation_text(const Current& event, std::string_view name) {
  using Field = field::DebugAnnotation;
  const Sequence& sequence = *event.packet.sequence;
  for (Message fields(event.message); fields.next();) {
    if (fields.number() != field::TrackEvent::kDebugAnnotations) continue;
    const std::string_view called = annotation_name(event, fields.message());
    StringId text;
    for (Message annotation = fields.message(); annotation.next();) {
      if (annotation.number() == Field::kStringValue) text = sink_.string(annotation.bytes());
      if (annotation.number() == Field::kStringValueIid)
        if (const StringId* known =
                sequence.find(&InternedData::annotation_strings, annotation.u64()))
          text = *known;
    }
    if (called == name && text) return text;
  }
  return {};
}

// Returns false for metadata without a table or name.
bool TrackEventReader::emit_metadata(Current& event) {
  if (!event.name) return false;
  const std::string_view what = sink_.batch().strings.get(event.name);
  const bool is_thread = what == "thread_name";
  if (!is_thread && what != "process_name") return false;
  const StringId text = annotation_text(event, "name");
  const uint32_t owner = is_thread ? event.thread : process_of(event);
  if (!text || owner == kNone) {
    lose(event);
    return true;
  }
  sink_.event(is_thread
                  ? make_thread_name(event.time, owner, text, thread_priority::kDescriptorType)
                  : make_process_name(event.time, owner, text, process_priority::kDescriptor));
  return true;
}

// Keeps a chunk of a profile: the JSON text of the annotation `data`.
void TrackEventReader::keep_v8_chunk(const Current& event) {
  for (Message fields(event.message); fields.next();) {
    if (fields.number() != field::TrackEvent::kDebugAnnotations) continue;
    if (annotation_name(event, fields.message()) != "data") continue;
    for (Message annotation = fields.message(); annotation.next();) {
      if (annotation.number() != field::DebugAnnotation::kLegacyJsonValue) continue;
      const ThreadName& thread = sink_.batch().threads[event.thread];
      v8_chunks_.push_back({.at = event.packet.at,
                            .machine = event.packet.machine,
                            .pid = thread.pid,
                            .tid = thread.tid,
                            .id = legacy_.any_id().value_or(0),
                            .json = std::string(annotation.bytes())});
    }
  }
}

// Keeps events of unknown phases unchanged.
void TrackEventReader::emit_raw(Current& event) {
  if (event.thread == kNone) return lose(event);
  if (legacy_.phase == 'P') keep_v8_chunk(event);
  const StringId name = sink_.string("track_event.legacy_event");
  sink_.open_args();
  add_text("legacy_event.category", event.category, sink_);
  add_text("legacy_event.name", event.name, sink_);
  add_text("legacy_event.phase", std::string_view(&legacy_.phase, 1), sink_);
  const auto add_optional = [&](std::string_view key, std::optional<int64_t> value,
                                ArgType type = ArgType::Int) {
    if (value) add_int(key, *value, sink_, type);
  };
  const auto ns = [](std::optional<int64_t> us) {
    return us ? checked_ns(*us) : std::optional<int64_t>();
  };
  const auto bits = [](std::optional<uint64_t> id) {
    return id ? std::optional<int64_t>(static_cast<int64_t>(*id)) : std::optional<int64_t>();
  };
  add_optional("legacy_event.duration_ns", ns(legacy_.duration_us));
  if (event.times.time_ns != kUnset) {
    add_int("legacy_event.thread_timestamp_ns", event.times.time_ns, sink_);
    add_optional("legacy_event.thread_duration_ns", ns(legacy_.thread_duration_us));
  }
  if (event.times.instructions != kUnset) {
    add_int("legacy_event.thread_instruction_count", event.times.instructions, sink_);
    add_optional("legacy_event.thread_instruction_delta", legacy_.instruction_delta);
  }
  if (legacy_.use_async_tts) add_int("legacy_event.use_async_tts", 1, sink_, ArgType::Bool);
  add_optional("legacy_event.unscoped_id", bits(legacy_.unscoped_id), ArgType::Uint);
  if (!legacy_.unscoped_id) {
    add_optional("legacy_event.global_id", bits(legacy_.global_id), ArgType::Uint);
    if (!legacy_.global_id)
      add_optional("legacy_event.local_id", bits(legacy_.local_id), ArgType::Uint);
  }
  if (legacy_.has_id_scope && (legacy_.unscoped_id || legacy_.global_id || legacy_.local_id))
    add_text("legacy_event.id_scope", legacy_.id_scope, sink_);
  add_args(event);
  sink_.event(make_chrome_raw(event.time, event.thread, name, sink_.close_args()));
}

}  // namespace tracebraid::proto
