// Snapshots of objects, and of objects inside them (spec json 4.13).
#include <string>
#include <utility>

#include "event/emit.h"
#include "event/stats.h"
#include "format/json/stats.h"
#include "format/json/trace_event/identified.h"

namespace tracebraid::json {
namespace {

// Values inside values are stored as text on each level. Limit of the total size, relative to the
// event.
constexpr size_t kMaxRawFactor = 4;
constexpr size_t kLeastRawBytes = size_t{64} << 10;

// Data that an inner object inherits from its container.
struct Around {
  StringId category;
  StringId scope;
  uint32_t process;
  uint32_t container;  // index of json.objects
};

class SnapshotWriter {
 public:
  SnapshotWriter(Chunk& chunk, const Members& members, const EventTime& time, uint32_t thread)
      : chunk_(chunk),
        members_(members),
        time_(time),
        thread_(thread),
        raw_left_(kLeastRawBytes + kMaxRawFactor * members.text.size()),
        place_left_(raw_left_) {}

  // Consumes `value`. `parts` has name and category of the object.
  void write(Dom& value, EventParts parts, JsonObject object);

 private:
  // A snapshot inside another, which is written with it.
  struct Inner {
    Dom value;
    std::string type, id, place;
  };
  void walk(Dom& value, std::string& place, std::vector<Inner>& inner);
  bool take(Dom& value, const std::string& place, std::vector<Inner>& inner);
  void write_inner(Inner& inner, const Around& around);
  JsonObject& object(uint32_t index) { return chunk_.sink.batch().json.objects[index]; }

  Chunk& chunk_;
  const Members& members_;
  EventTime time_;
  uint32_t thread_;
  size_t raw_left_;
  size_t place_left_;  // limit of the places of inner snapshots
};

Dom taken(Dom& value, std::string_view key) {
  for (size_t i = 0; i < value.members.size(); ++i) {
    if (value.members[i].key != key) continue;
    if (!value.members[i].value.is(Kind::String)) return {};
    Dom member = std::move(value.members[i].value);
    value.members.erase(value.members.begin() + static_cast<ptrdiff_t>(i));
    return member;
  }
  return {};
}

void SnapshotWriter::write(Dom& value, EventParts parts, JsonObject object) {
  EventSink& sink = chunk_.sink;
  const std::string_view raw = json_text(value.value);
  if (raw.size() <= raw_left_) {
    raw_left_ -= raw.size();
    object.raw_json = sink.string(raw);
  } else {
    sink.tally(stats::json_metadata_truncated);
  }
  if (const Dom category = taken(value, "cat"); category.is(Kind::String))
    parts.category = sink.string(category.text);
  if (const Dom base = taken(value, "base_type"); base.is(Kind::String))
    object.base_type = sink.string(base.text);
  std::vector<Inner> inner;
  std::string place = "snapshot";
  walk(value, place, inner);
  sink.open_args();
  chunk_.args.add(value, chunk_.args.root("snapshot"));
  parts.args = sink.close_args();
  parts.extra = append_record(sink.batch().json.objects, object);
  sink.event(make_identified(time_, EventKind::ObjectSnapshot, thread_, parts));
  const JsonId& id = sink.batch().json.ids[object.id];
  const Around around{parts.category, id.scope, id.process, parts.extra};
  for (Inner& one : inner) write_inner(one, around);
}

void SnapshotWriter::write_inner(Inner& inner, const Around& around) {
  EventSink& sink = chunk_.sink;
  Value text;
  text.kind = Kind::String;
  text.raw = inner.id;  // decoded, so it has no escapes
  EventId id{canonical_id(text).value_or(CanonicalId{}), false};
  JsonId row;
  row.spelling = sink.string(id.id.spelling);
  row.canonical = id.id.is_number ? sink.string(std::to_string(id.id.number)) : row.spelling;
  const Dom scope = taken(inner.value, "scope");
  row.scope = scope.is(Kind::String) ? sink.string(scope.text) : around.scope;
  row.process = around.process;
  JsonObject object;
  std::vector<JsonId>& ids = sink.batch().json.ids;
  object.id = static_cast<uint32_t>(ids.size());
  ids.push_back(row);
  object.container = around.container;
  object.place = sink.string(inner.place);
  const EventParts parts{.name = sink.string(inner.type), .category = around.category};
  taken(inner.value, "id");
  write(inner.value, parts, object);
}

// Finds the snapshots in `value`, at `place` of the args, and replaces them by references.
void SnapshotWriter::walk(Dom& value, std::string& place, std::vector<Inner>& inner) {
  const size_t size = place.size();
  for (DomMember& member : value.members) {
    if (!member.value.is(Kind::Object) && !member.value.is(Kind::Array)) continue;
    place.append(1, '.').append(member.key);
    if (!take(member.value, place, inner)) walk(member.value, place, inner);
    place.resize(size);
  }
  size_t index = 0;
  for (Dom& item : value.items) {
    if (!item.value.is_given()) continue;  // as in args, null takes no index
    place += '[' + std::to_string(index++) + ']';
    if (!take(item, place, inner)) walk(item, place, inner);
    place.resize(size);
  }
}

bool SnapshotWriter::take(Dom& value, const std::string& place, std::vector<Inner>& inner) {
  const Dom* const id = value.find("id");
  if (id == nullptr || !(id->is(Kind::String) || id->is(Kind::Number))) return false;
  const size_t slash = id->is(Kind::String) ? id->text.rfind('/') : std::string::npos;
  if (slash == std::string::npos || slash == 0 || slash + 1 == id->text.size()) {
    chunk_.sink.count(stats::object_parse_error, members_.at, members_.text);
    return false;
  }
  if (place.size() > place_left_) {
    chunk_.sink.tally(stats::json_metadata_truncated);
    return false;
  }
  place_left_ -= place.size();
  Dom reference;
  reference.value.kind = Kind::Object;
  reference.members.push_back({"id_ref", Dom{}});
  Dom& target = reference.members.back().value;
  target.value.kind = Kind::String;
  target.value.escaped = id->value.escaped;
  target.value.raw = id->value.raw.substr(id->value.raw.rfind('/') + 1);
  target.text = id->text.substr(slash + 1);
  std::string type = id->text.substr(0, slash);
  inner.push_back({std::move(value), std::move(type), target.text, place});
  value = std::move(reference);
  return true;
}

}  // namespace

void write_snapshot(Chunk& chunk, const Members& members, const SnapshotOf& of) {
  Dom args;
  Repairs ignored;  // counted when read as args
  if (!members[Field::Args].has(Kind::Object) ||
      parse_dom(members[Field::Args].raw, {0, chunk.depth_limit}, ignored, args) != Parse::Ok)
    return drop(chunk, members, stats::object_parse_error);
  for (DomMember& member : args.members) {
    if (member.key != "snapshot" || member.value.value.has(Kind::Absent)) continue;
    if (member.value.find("id") != nullptr)
      chunk.sink.count(stats::object_parse_error, members.at, members.text);
    return SnapshotWriter(chunk, members, of.time, of.thread)
        .write(member.value, of.parts, of.object);
  }
  drop(chunk, members, stats::object_parse_error);
}

}  // namespace tracebraid::json
