#include "assemble/json/rows.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "assemble/json/refs.h"
#include "assemble/saturate.h"
#include "event/event_kind.h"
#include "event/json_ids.h"

namespace tracebraid {
namespace {

bool is_context(const Event& event) {
  return event.what() == EventKind::ContextEnter || event.what() == EventKind::ContextLeave;
}

void set(std::vector<bool>& files, FileId file) {
  if (file.row >= files.size()) files.resize(file.row + 1);
  files[file.row] = true;
}

}  // namespace

JsonRows::JsonRows(std::span<const PlacedBatch> batches, Identity& identity, DeferredArgs& args,
                   Stacks& stacks, Problems& problems, Store& store)
    : batches_(batches),
      store_(store),
      objects_(identity, args, problems, store),
      contexts_(identity, args, problems, store),
      links_(identity, store),
      slices_(identity, args, store),
      memory_(identity, args, stacks, problems, store),
      identity_(identity) {
  for (const PlacedBatch& from : batches) {
    if (from.batch.json.ids.empty()) continue;
    for (const Stream& stream : from.batch.streams)
      if (std::ranges::any_of(stream.events, is_context)) set(has_contexts_, from.file);
  }
}

void JsonRows::add(const JsonEvent& at) {
  switch (at.event.what()) {
    case EventKind::ObjectNew:
      return objects_.create(at);
    case EventKind::ObjectSnapshot:
      return objects_.snapshot(at);
    case EventKind::ObjectDelete: {
      objects_.remove(at);
      const uint32_t id = at.from.batch.json.objects[at.event.extra].id;
      if (has_contexts(at.from.file))
        contexts_.remove(at, key_of(at.from, id_at(at.from, id), identity_));
      return;
    }
    case EventKind::ContextEnter:
      return contexts_.enter(at);
    case EventKind::ContextLeave:
      return contexts_.leave(at);
    case EventKind::LinkedIds:
      return links_.add(at);
    default:
      return;
  }
}

void JsonRows::slice(const JsonEvent& at, bool began, uint32_t track_row, uint32_t slice) {
  const JsonExtra* extra = nullptr;
  if (at.event.extra != kNone)
    if (const uint32_t index = at.from.batch.slice_extras[at.event.extra].json; index != kNone)
      extra = &at.from.batch.json.extras[index];
  if (began && slice != kNone && has_contexts(at.from.file)) {
    uint32_t utid = store_.tracks.utid[track_row].row;
    if (utid == OptRow::kNull && extra && extra->thread != kNone)  // of an async slice
      utid = identity_.thread(extra->thread);
    if (utid != OptRow::kNull && utid != kNone) contexts_.slice(slice, utid, at.sequence);
  }
  if (!extra) return;
  if (began)
    slices_.began(at, *extra, at.event.track, slice);
  else
    slices_.ended(*extra, at.event.track, slice);
}

void JsonRows::step(uint32_t slice, uint32_t parent, uint32_t batch, uint32_t extra) {
  if (extra == kNone) return;
  const PlacedBatch& from = batches_[batch];
  const uint32_t index = from.batch.slice_extras[extra].json;
  if (index != kNone) slices_.step(slice, parent, from, from.batch.json.extras[index]);
}

void JsonRows::finish(const std::vector<uint32_t>& new_rows, std::span<const JsonKey> flow_ids) {
  slices_.finish(new_rows);
  contexts_.finish(new_rows, objects_);
  memory_.finish();
  colour_rows();
  if (store_.json.linked_ids.rows() > 0) list_linked(flow_ids);
  std::vector<bool> json_files;
  for (const PlacedBatch& from : batches_)
    if (is_json(from)) set(json_files, from.file);
  if (!json_files.empty()) JsonRefs(objects_, std::move(json_files), store_).resolve(contexts_);
}

void JsonRows::list_linked(std::span<const JsonKey> flow_ids) {
  const auto list = [&](std::string_view kind, std::vector<JsonKey> keys) {
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    for (const JsonKey& key : keys) links_.list(kind, key);
  };
  links_.list_links();
  list("object", objects_.keys());
  for (const JsonSlices::Group& group : slices_.groups())
    links_.list(group.is_legacy ? "legacy_async" : "async", group.key);
  list("flow", {flow_ids.begin(), flow_ids.end()});
  list("context", contexts_.keys());
  list("memory", memory_.keys());
  list_bound();
  list_counters();
}

// Lists ids that slices name as bind_id; only their numbers are stored.
void JsonRows::list_bound() {
  absl::flat_hash_set<std::pair<FileId, uint64_t>> bound;
  for (const PlacedBatch& from : batches_)
    if (is_json(from))
      for (const FlowStep& step : from.batch.flows) bound.emplace(from.file, step.id);
  const StringId scope = store_.strings.intern("ptr");
  for (const JsonKey& key : links_.keys())
    if (key.scope == scope && key.upid == OptRow::kNull &&
        bound.contains({key.file, id_as_number(store_.strings.get(key.canonical))}))
      links_.list("flow_v2", key);
}

// Lists the ids of counters, which are source args of their tracks.
void JsonRows::list_counters() {
  StringPool& strings = store_.strings;
  const StringId id = strings.find("json.id");
  if (!id) return;
  std::vector<JsonKey> keys;
  for (uint32_t row = 0; row < store_.tracks.rows(); ++row) {
    const uint32_t source = store_.tracks.source_arg_set_id[row].row;
    const uint32_t file = store_.tracks.trace_id[row].row;
    if (source == OptRow::kNull || file == OptRow::kNull) continue;
    const std::optional<ArgRow> arg = store_.args.find(source, id);
    if (!arg || arg->type != ArgType::String) continue;
    JsonKey& key = keys.emplace_back();
    key.file = FileId{file};
    key.scope = strings.intern("ptr");
    key.canonical =
        strings.intern(canonical_id_text(strings.get({static_cast<uint32_t>(arg->value)})));
  }
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  for (const JsonKey& key : keys) links_.list("counter", key);
}

// Adds colours of objects, and of counters, whose tracks have the colour as a source arg.
void JsonRows::colour_rows() {
  JsonEventColorTable& table = store_.json.colours;
  const auto add = [&](StringId kind, uint32_t row, StringId colour) {
    table.kind.append(kind);
    table.row_id.append(row);
    table.cname.append(colour);
  };
  const StringId object = store_.strings.intern("object");
  for (uint32_t row = 0; row < store_.json.instances.rows(); ++row)
    if (const StringId colour = store_.json.instances.cname[row]) add(object, row, colour);
  const StringId key = store_.strings.find("json.cname");
  if (!key) return;
  const StringId track = store_.strings.intern("counter_track");
  for (uint32_t row = 0; row < store_.tracks.rows(); ++row) {
    const uint32_t source = store_.tracks.source_arg_set_id[row].row;
    if (source == OptRow::kNull) continue;
    const std::optional<ArgRow> colour = store_.args.find(source, key);
    if (colour && colour->type == ArgType::String)
      add(track, row, {static_cast<uint32_t>(colour->value)});
  }
}

void JsonRows::finish_annotations() {
  JsonAnnotationTable& table = store_.json.annotations;
  for (const PlacedBatch& from : batches_) {
    for (const JsonAnnotation& note : from.batch.json.annotations) {
      OptInt ts;
      if (note.offset_ns != kUnset) ts.value = end_of(store_.trace_start, note.offset_ns);
      table.type.append(note.type);
      table.ts.append(ts);
      table.text.append(note.text);
      table.raw_json.append(note.raw_json);
    }
  }
}

}  // namespace tracebraid
