#include "format/json/trace_event/async_events.h"

#include <algorithm>
#include <string>

#include "event/emit.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/stats.h"
#include "format/common/stats.h"
#include "format/json/profile/stacks.h"
#include "format/json/recording/clock_sync.h"
#include "format/json/stats.h"
#include "format/json/trace_event/identified.h"
#include "format/json/trace_event/ids.h"
#include "format/json/trace_event/slice_extra.h"
#include "format/json/trace_event/user_timing.h"

namespace tracebraid::json {
namespace {

// Returns the scope of an id; empty for the default scope.
std::string scope_of(const Members& members) {
  const Value& value = members[Field::Scope];
  std::string scope;
  if (value.has(Kind::String)) scope = text_of(StringToken{value.raw, value.escaped}, scope);
  if (scope == "ptr") scope.clear();
  return scope;
}

// Data that the events of an async group share.
struct Group {
  std::optional<int64_t> local_pid;
  std::string scope;
  StringId name;  // name of the track; none: that of its first event
  uint64_t cookie = 0;
  // The id of its events. A group of user timings has many ids: its number represents them, so that
  // all chunks of a file give the same key.
  CanonicalId id;
  bool is_legacy = false;
};

void add_text_or_null(Chunk& chunk, std::string_view name, const std::string& text) {
  if (text.empty())
    chunk.args.add_null(name);
  else
    chunk.args.add_text(name, text);
}

uint32_t async_track(Chunk& chunk, const Group& group) {
  const auto [at, added] = chunk.async_tracks.try_emplace(group.cookie, kNone);
  if (!added) return at->second;
  EventSink& sink = chunk.sink;
  TrackName name;
  name.scope = group.local_pid ? TrackScope::Process : TrackScope::Global;
  name.lanes = Lanes::ByCookie;
  name.overlap = Overlap::Outlive;
  name.named_by_first_event = true;
  if (group.local_pid) name.owner = chunk.threads.process(*group.local_pid);
  name.type =
      sink.string(group.local_pid ? "legacy_async_process_slice" : "legacy_async_global_slice");
  name.name = group.name;
  name.cookie = group.cookie;
  sink.open_args();
  add_text_or_null(chunk, "scope", group.scope);
  name.dimensions = sink.close_args();
  sink.open_args();
  chunk.args.add_text("source", "chrome");
  chunk.args.add_int("trace_id", static_cast<int64_t>(as_number(group.id)));
  chunk.args.add_int("trace_id_is_process_scoped", group.local_pid ? 1 : 0, ArgType::Bool);
  if (group.local_pid) chunk.args.add_int("upid", name.owner, ArgType::Process);
  add_text_or_null(chunk, "source_scope", group.scope);
  if (group.is_legacy) chunk.args.add_text("legacy_phase", "S");
  name.source_args = sink.close_args();
  return at->second = sink.track(name);
}

std::string_view string_at(const Chunk& chunk, StringId id) {
  return id ? chunk.sink.batch().strings.get(id) : std::string_view();
}

// Returns the owner and the id of the event, for the slice that it begins or ends.
JsonExtra async_extra(Chunk& chunk, const Members& members, char phase, const EventId& id,
                      const Who& who) {
  JsonExtra extra;
  extra.thread = chunk.threads.thread(who);
  extra.phase = phase;
  if (phase != 'e' && phase != 'F') extra.id = add_id(chunk, members, id, who);
  return extra;
}

std::optional<int64_t> local_pid_of(const EventId& id, const Who& who) {
  return id.local ? std::optional(who.pid) : std::nullopt;
}

std::optional<int64_t> lasting(const Chunk& chunk, std::optional<int64_t> pid) {
  return pid ? std::optional(chunk.threads.lasting_pid(*pid)) : std::nullopt;
}

// Handles a state of a thread, which uses the same letter as steps (spec json 4.10).
void write_thread_state(Chunk& chunk, const Members& members, int64_t ts, int64_t dur) {
  Dom args;
  Repairs ignored;
  if (members[Field::Args].has(Kind::Object))
    parse_dom(members[Field::Args].raw, {}, ignored, args);
  const uint32_t thread = chunk.threads.thread(chunk.threads.who(members));
  const StringId state = name_of(chunk, members);
  chunk.sink.open_args();
  for (const char* const name : {"io_wait", "cpu"}) {
    const Dom* const arg = args.find(name);
    if (arg == nullptr || !arg->is(Kind::Number)) continue;
    if (const std::optional<int64_t> value = to_int64(arg->value.number))
      chunk.args.add_int(name, *value);
  }
  const Dom* const function = args.find("blocked_function");
  if (function != nullptr && function->is(Kind::String))
    chunk.args.add_text("blocked_function", function->text);
  chunk.sink.event(make_thread_state(chunk.at(ts), thread, state, dur, chunk.sink.close_args()));
}

Event legacy_event(char phase, const EventTime& time, uint32_t track, const EventParts& parts) {
  if (phase == 'S') return make_slice_begin_once(time, track, parts);
  if (phase == 'F') return make_slice_end(time, track, parts);
  return make_async_step(time, track, phase == 'T', parts);
}

// Returns the name of a step.
StringId step_name(Chunk& chunk, const Members& members, StringId event_name) {
  Dom args;
  Repairs ignored;
  if (!members[Field::Args].has(Kind::Object) ||
      parse_dom(members[Field::Args].raw, {}, ignored, args) != Parse::Ok)
    return event_name;
  const Dom* const step = args.find("step");
  if (step == nullptr || !step->value.is_given()) return event_name;
  return chunk.sink.string(step->is(Kind::String) ? std::string_view(step->text) : step->value.raw);
}

}  // namespace

void write_nestable_async(Chunk& chunk, const Members& members, char phase, int64_t ts) {
  const Who who = chunk.threads.who(members);
  const std::optional<EventId> id = id_of(members, false);
  if (!id || !who.has_pid) return note_failure(chunk, members, stats::json_event_incomplete);
  count_double_id(chunk, members);
  const StringId category = category_of(chunk, members);
  const StringId name = name_of(chunk, members);

  Group group;
  group.id = id->id;
  group.scope = scope_of(members);
  group.local_pid = local_pid_of(*id, who);
  const std::string_view category_text = string_at(chunk, category);
  // Adding strings does not move existing ones.
  const std::optional<UserTiming> timing = user_timing_of(category_text, string_at(chunk, name));
  IdHash hash(timing ? IdKind::UserTiming : IdKind::Async);
  hash.add(category_text);
  if (!timing) {
    hash.add(group.scope).add_process(lasting(chunk, group.local_pid)).add(group.id);
  } else {
    hash.add(timing->group);
    group.local_pid.reset();
    group.scope.clear();
  }
  group.cookie = hash.value();
  if (timing) group.id = {.is_number = true, .number = group.cookie};

  const uint32_t track = async_track(chunk, group);
  EventParts parts{.name = name, .category = category, .args = slice_args(members)};
  if (!name && phase == 'b') parts.name = chunk.sink.string(kNoName);
  const bool own_times = is_true(members[Field::UseAsyncTts]);
  parts.extra = slice_extra(chunk, members, own_times ? ThreadTimes::Take : ThreadTimes::Ignore);
  JsonExtra extra = async_extra(chunk, members, phase, *id, who);
  if (timing && phase != 'e') extra.timing = write_user_timing(chunk, *timing);
  add_json_extra(chunk, parts, extra);
  const EventTime time = chunk.at(ts);
  chunk.sink.event(phase == 'b'   ? make_slice_begin(time, track, parts)
                   : phase == 'e' ? make_slice_end(time, track, parts)
                                  : make_instant(time, track, parts));
}

void write_legacy_async(Chunk& chunk, const Members& members, char phase, int64_t ts) {
  if (phase == 'T' && members[Field::Dur].is_given()) {
    const std::optional<int64_t> dur = ns_of(members[Field::Dur]);
    if (!dur) return drop(chunk, members, stats::json_tokenizer_failure);
    if (*dur < 0) return drop(chunk, members, stats::slice_negative_duration);
    return write_thread_state(chunk, members, ts, *dur);
  }
  const StringId name = name_of(chunk, members);
  const std::optional<EventId> id = id_of(members, false);
  if (!id || !name) return note_failure(chunk, members, stats::json_event_incomplete);
  count_double_id(chunk, members);
  note_legacy_clock_sync(chunk, string_at(chunk, name), phase, ts);
  const Who who = chunk.threads.who(members);
  chunk.threads.thread(who);  // exists even without other events

  Group group;
  group.id = id->id;
  group.scope = scope_of(members);
  group.local_pid = local_pid_of(*id, who);
  group.name = name;
  group.is_legacy = true;
  group.cookie = IdHash(IdKind::LegacyAsync)
                     .add(string_at(chunk, name))
                     .add(group.scope)
                     .add_process(lasting(chunk, group.local_pid))
                     .add(group.id)
                     .value();
  const uint32_t track = async_track(chunk, group);
  EventParts parts;
  if (phase == 'T' || phase == 'p')
    parts.name = step_name(chunk, members, name);
  else if (phase == 'S')
    parts.name = name;
  if (phase != 'F') parts.category = category_of(chunk, members);
  parts.args = slice_args(members);
  JsonExtra extra = async_extra(chunk, members, phase, *id, who);
  extra.is_legacy = true;
  extra.colour = colour_of(chunk, members);
  add_json_extra(chunk, parts, extra);
  chunk.sink.event(legacy_event(phase, chunk.at(ts), track, parts));
}

void write_flow(Chunk& chunk, const Members& members, char phase, int64_t ts) {
  const std::optional<EventId> id = id_of(members, false);
  if (!id) return drop(chunk, members, stats::flow_invalid_id);
  count_double_id(chunk, members);
  const Who who = chunk.threads.who(members);
  EventKind kind = phase == 's' ? EventKind::FlowStart : EventKind::FlowStep;
  if (phase == 'f') {
    const Value& bind = members[Field::BindPoint];
    const bool here = is_text(bind, "e");
    if (bind.is_given() && !here)
      chunk.sink.count(stats::flow_bad_bind_point, members.at, members.text);
    kind = here ? EventKind::FlowEndHere : EventKind::FlowEnd;
  }
  const uint32_t track = chunk.threads.track(who);
  EventParts parts;
  parts.name = name_of(chunk, members);
  parts.category = category_of(chunk, members);
  parts.args = slice_args(members);
  // A text distinguishes tracks that the number does not.
  const std::string scope = scope_of(members);
  std::vector<FlowExtra>& extras = chunk.sink.batch().flow_extras;
  if (!id->id.is_number || id->id.negative || id->local || !scope.empty() || has_stack(members)) {
    parts.extra = append_record(extras, {});
  }
  if (has_stack(members)) note_flow_stack(chunk, members, parts.extra);
  if (!id->id.is_number || id->id.negative || id->local || !scope.empty()) {
    std::string key = id->local ? std::to_string(chunk.threads.lasting_pid(who.pid)) : "";
    key.append(1, '\n').append(scope).append(1, '\n').append(id->id.spelling);
    extras[parts.extra].text_id = chunk.sink.string(key);
  }
  chunk.sink.event(make_flow(chunk.at(ts), kind, track, as_number(id->id), parts));
}

}  // namespace tracebraid::json
