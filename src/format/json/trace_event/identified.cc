#include "format/json/trace_event/identified.h"

#include <string>

#include "event/emit.h"
#include "event/event_kind.h"
#include "event/json_ids.h"
#include "event/make_event.h"
#include "event/stats.h"
#include "format/common/stats.h"
#include "format/json/stats.h"
#include "format/json/trace_event/slice_extra.h"

namespace tracebraid::json {
namespace {

uint32_t push_id(Chunk& chunk, const EventId& id, std::string_view scope, const Who& who) {
  EventSink& sink = chunk.sink;
  JsonId row;
  row.scope = sink.string(scope);
  row.spelling = sink.string(id.id.spelling);
  row.canonical =
      id.id.is_number && !id.id.negative ? sink.string(std::to_string(id.id.number)) : row.spelling;
  if (id.local) row.process = chunk.threads.process(who.pid);
  std::vector<JsonId>& ids = sink.batch().json.ids;
  ids.push_back(row);
  return static_cast<uint32_t>(ids.size() - 1);
}

std::string_view scope_text(const Members& members, std::string& scratch) {
  const Value& value = members[Field::Scope];
  return value.has(Kind::String) ? text_of(value, scratch) : "ptr";
}

// Returns the id in `args.linked_id`: a value like `id`, or an object like `id2`.
std::optional<EventId> linked_id(const Members& members) {
  Dom args;
  Repairs ignored;  // counted when read as args
  if (!members[Field::Args].has(Kind::Object) ||
      parse_dom(members[Field::Args].raw, {}, ignored, args) != Parse::Ok)
    return std::nullopt;
  const Dom* const linked = args.find("linked_id");
  if (linked == nullptr) return std::nullopt;
  if (!linked->is(Kind::Object)) {
    std::optional<CanonicalId> id = canonical_id(linked->value);
    if (!id) return std::nullopt;
    return EventId{*std::move(id), false};
  }
  for (const bool local : {true, false})
    if (const Dom* const part = linked->find(local ? "local" : "global"))
      if (std::optional<CanonicalId> id = canonical_id(part->value))
        return EventId{*std::move(id), local};
  return std::nullopt;
}

// Returns the scope of a linked id: its own, or that of the event.
std::string linked_scope(const Members& members, std::string_view of_event) {
  Dom args;
  Repairs ignored;
  if (parse_dom(members[Field::Args].raw, {}, ignored, args) == Parse::Ok)
    if (const Dom* const linked = args.find("linked_id"))
      if (const Dom* const scope = linked->find("scope"); scope && scope->is(Kind::String))
        return scope->text;
  return std::string(of_event);
}

}  // namespace

void count_double_id(Chunk& chunk, const Members& members) {
  if (members[Field::Id].is_given() && members[Field::Id2].is_given())
    chunk.sink.count(stats::json_id_and_id2, members.at, members.text);
}

uint32_t add_id(Chunk& chunk, const Members& members, const EventId& id, const Who& who) {
  std::string scratch;
  return push_id(chunk, id, scope_text(members, scratch), who);
}

void write_object(Chunk& chunk, const Members& members, char phase, int64_t ts) {
  const StringId name = name_of(chunk, members);
  const std::optional<EventId> id = id_of(members, true);
  if (!id || !name) return drop(chunk, members, stats::object_parse_error);
  count_double_id(chunk, members);
  const Who who = chunk.threads.who(members);
  JsonObject object;
  object.colour = colour_of(chunk, members);
  const EventKind kind = phase == 'N'   ? EventKind::ObjectNew
                         : phase == 'D' ? EventKind::ObjectDelete
                                        : EventKind::ObjectSnapshot;
  const uint32_t thread = chunk.threads.thread(who);
  EventParts parts{.name = name, .category = category_of(chunk, members)};
  object.id = add_id(chunk, members, *id, who);
  if (phase == 'O') return write_snapshot(chunk, members, {chunk.at(ts), thread, parts, object});
  parts.args = slice_args(members);
  parts.extra = append_record(chunk.sink.batch().json.objects, object);
  chunk.sink.event(make_identified(chunk.at(ts), kind, thread, parts));
}

void write_context(Chunk& chunk, const Members& members, char phase, int64_t ts) {
  const StringId name = name_of(chunk, members);
  const std::optional<EventId> id = id_of(members, true);
  const Who who = chunk.threads.who(members);
  if (!id || !name || (!who.has_pid && !who.has_tid))
    return drop(chunk, members, stats::context_parse_error);
  count_double_id(chunk, members);
  const EventKind kind = phase == '(' ? EventKind::ContextEnter : EventKind::ContextLeave;
  const uint32_t thread = chunk.threads.thread(who);
  const EventParts parts{.name = name,
                         .category = category_of(chunk, members),
                         .args = slice_args(members),
                         .extra = add_id(chunk, members, *id, who)};
  chunk.sink.event(make_identified(chunk.at(ts), kind, thread, parts));
}

void write_link(Chunk& chunk, const Members& members, int64_t ts) {
  const std::optional<EventId> a = id_of(members, false);
  const std::optional<EventId> b = linked_id(members);
  if (!a || !b) return note_failure(chunk, members, stats::json_event_incomplete);
  count_double_id(chunk, members);
  const Who who = chunk.threads.who(members);
  const uint32_t thread = chunk.threads.thread(who);
  const StringId name = name_of(chunk, members);
  const StringId category = category_of(chunk, members);
  std::string scratch;
  const std::string scope(scope_text(members, scratch));
  JsonLink link;
  link.a = push_id(chunk, *a, scope, who);
  link.b = push_id(chunk, *b, linked_scope(members, scope), who);
  const uint32_t index = append_record(chunk.sink.batch().json.links, link);
  chunk.sink.event(make_linked_ids(chunk.at(ts), thread, name, category, index));
}

}  // namespace tracebraid::json
