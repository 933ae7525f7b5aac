#include "server/api/node_members.h"

#include <algorithm>
#include <span>
#include <vector>

#include "base/cut_text.h"
#include "server/api/timeline_call.h"

namespace tracebraid::api {
namespace {

using timeline::NodeType;
using timeline::Tree;
using timeline::TreeNode;
using timeline::TreeTrack;

constexpr size_t kMostRows = 100;  // rows of `track` that a node lists

// JSON values of members.
std::string text_json(std::string_view text) {
  JsonText json(JsonText::kCompact);
  return std::move(json.add({}, text)).finish();
}
std::string row_json(OptRow row) {
  return row.row == OptRow::kNull ? "null" : std::to_string(row.row);
}
std::string time_json(const TreeNode& node, int64_t ts) {
  return node.is_empty() ? "null" : text_json(std::to_string(ts));
}
template <class Items, class Add>
std::string array_json(const Items& items, Add add) {
  JsonText json(JsonText::kCompact);
  json.open_array();
  for (const auto& item : items) add(json, item);
  return std::move(json.close_array()).finish();
}

void add_track_members(const MemberSink& add, const Timeline& timeline, const TreeTrack* track) {
  const Store& store = timeline.store();
  const auto text = [&](StringId id) { return id ? text_json(store.strings.get(id)) : "null"; };
  std::span<const uint32_t> rows;
  if (track != nullptr) rows = track->rows_of_track();
  add("tracks", array_json(rows.first(std::min(rows.size(), kMostRows)),
                           [](JsonText& json, uint32_t row) { json.add({}, row); }));
  add("track_type", text(track == nullptr ? StringId() : track->type));
  add("unit", text(track == nullptr ? StringId() : track->unit));
  add("lines", std::to_string(track == nullptr ? 0 : track->lines));
}

}  // namespace

bool is_hidden(const TreeNode& node) {
  return node.is_empty() && (node.type == NodeType::Process || node.type == NodeType::Thread);
}

ChildCount count_children(const Tree& tree, uint32_t begin, uint32_t end, bool shows_empty) {
  ChildCount count;
  for (uint32_t child = begin; child < end; child = tree.nodes[child].end)
    ++(is_hidden(tree.nodes[child]) && !shows_empty ? count.hidden : count.shown);
  return count;
}

void add_members(const MemberSink& add, const Timeline& timeline, const Tree& tree, uint32_t index,
                 bool shows_empty, std::string_view key) {
  const TreeNode& node = tree.nodes[index];
  const bool is_track = node.type == NodeType::Track;
  const TreeTrack* const track = is_track ? &timeline.tracks()[node.number] : nullptr;
  add("node", std::to_string(node.number));
  add("key", text_json(key));
  add("parent", row_json({node.parent == timeline::kNoNode ? OptRow::kNull
                                                           : tree.nodes[node.parent].number}));
  add("level", std::to_string(node.level));
  add("type", text_json(name_of(node.type)));
  add("kind", is_track ? text_json(track->kind()) : "null");
  add("title", text_json(cut_text(node.title, 4096)));
  add("detail", text_json(cut_text(node.detail, 4096)));
  const ChildCount children = count_children(tree, index + 1, node.end, shows_empty);
  add("children", std::to_string(children.shown));
  add("hidden", std::to_string(children.hidden));
  add("empty", node.is_empty() ? "true" : "false");
  add("machine_id", row_json(node.machine));
  add("trace_id", row_json(node.file));
  add("upid", row_json(node.upid));
  add("utid", row_json(node.utid));
  add("ucpu", row_json(node.ucpu));
  add_track_members(add, timeline, track);
  add("modes", array_json(modes_of(timeline, node),
                          [](JsonText& json, auto mode) { json.add({}, name_of(mode)); }));
  add("events", text_json(std::to_string(node.events)));
  add("first_ts", time_json(node, node.first));
  add("last_ts", time_json(node, node.last));
  JsonText bound(JsonText::kCompact);
  add_bound(bound, {}, node.bound);
  add("bound", std::move(bound).finish());
  std::vector<uint32_t> linked;
  if (node.type == NodeType::Process)
    for (const uint32_t other : tree.of_processes.at(node.upid.row))
      if (other != index) linked.push_back(tree.nodes[other].number);
  add("linked", array_json(linked, [](JsonText& json, uint32_t number) { json.add({}, number); }));
}

}  // namespace tracebraid::api
