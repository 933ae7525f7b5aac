// The tree of tracks: GET /traces/{t}/tracks, /tracks/{k} and POST /tracks/find.
#include <fmt/format.h>

#include <algorithm>

#include "base/cut_text.h"
#include "base/words.h"
#include "server/api/parameters.h"
#include "server/api/timeline_call.h"

namespace tracebraid::api {
namespace {

using timeline::Grouping;
using timeline::NodeType;
using timeline::Tree;
using timeline::TreeNode;
using timeline::TreeTrack;

constexpr int64_t kMostNodes = 1000, kMostDepth = 16;
constexpr size_t kMostRows = 100;  // rows of `track` that a node lists

constexpr std::string_view kTreeSchema =
    R"({"type":"object","required":["grouping","parent","offset","total","hidden","start_ts","end_ts","nodes"],"properties":{"grouping":{"type":"string"},"parent":{"type":["integer","null"]},"offset":{"type":"integer"},"total":{"type":"integer"},"hidden":{"type":"integer"},"start_ts":{"type":"string"},"end_ts":{"type":"string"},"nodes":{"type":"array","items":{"type":"object","required":["node","key","parent","level","type","kind","title","children","hidden","empty","modes","events","bound"]}}}})";
constexpr std::string_view kNodeSchema =
    R"({"type":"object","required":["node","path"],"properties":{"node":{"type":"object"},"path":{"type":"array","items":{"type":"integer"}}}})";
constexpr std::string_view kFoundSchema =
    R"({"type":"object","required":["total","nodes"],"properties":{"total":{"type":"integer"},"nodes":{"type":"array","items":{"type":"object"}}}})";
constexpr std::string_view kFindBody =
    R"({"type":"object","required":["text"],"properties":{"text":{"type":"string"},"grouping":{"enum":["machine_file","machine","type","flat"]},"limit":{"type":"integer"}}})";

// Returns whether a node is left out unless empty nodes are wanted.
bool is_hidden(const TreeNode& node) {
  return node.is_empty() && (node.type == NodeType::Process || node.type == NodeType::Thread);
}

struct ChildCount {
  size_t shown = 0, hidden = 0;
};
ChildCount count_children(const Tree& tree, uint32_t begin, uint32_t end, bool shows_empty) {
  ChildCount count;
  for (uint32_t child = begin; child < end; child = tree.nodes[child].end)
    ++(is_hidden(tree.nodes[child]) && !shows_empty ? count.hidden : count.shown);
  return count;
}

void add_track_members(JsonText& json, const Timeline& timeline, const TreeTrack* track) {
  const Store& store = timeline.store();
  const auto text = [&](StringId id) { return id ? store.strings.get(id) : std::string_view(); };
  json.open_array("tracks");
  if (track != nullptr) {
    const std::span<const uint32_t> rows = track->rows_of_track();
    for (const uint32_t row : rows.first(std::min(rows.size(), kMostRows))) json.add({}, row);
  }
  json.close_array();
  for (const auto& [name, id] :
       {std::pair("track_type", track == nullptr ? StringId() : track->type),
        std::pair("unit", track == nullptr ? StringId() : track->unit)}) {
    if (id)
      json.add(name, text(id));
    else
      json.add_raw(name, "null");
  }
  json.add("lines", track == nullptr ? 0 : track->lines);
}

// Adds the members of a node to an open object.
void add_node(JsonText& json, const Timeline& timeline, const Tree& tree, uint32_t index,
              bool shows_empty) {
  const TreeNode& node = tree.nodes[index];
  const bool is_track = node.type == NodeType::Track;
  const TreeTrack* const track = is_track ? &timeline.tracks()[node.number] : nullptr;
  json.add("node", node.number).add("key", node.key);
  add_row(json, "parent",
          {node.parent == timeline::kNoNode ? OptRow::kNull : tree.nodes[node.parent].number});
  json.add("level", node.level).add("type", name_of(node.type));
  if (is_track)
    json.add("kind", track->kind());
  else
    json.add_raw("kind", "null");
  json.add("title", cut_text(node.title, 4096)).add("detail", cut_text(node.detail, 4096));
  const ChildCount children = count_children(tree, index + 1, node.end, shows_empty);
  json.add("children", children.shown).add("hidden", children.hidden);
  json.add("empty", node.is_empty());
  add_row(json, "machine_id", node.machine);
  add_row(json, "trace_id", node.file);
  add_row(json, "upid", node.upid);
  add_row(json, "utid", node.utid);
  add_row(json, "ucpu", node.ucpu);
  add_track_members(json, timeline, track);
  json.open_array("modes");
  for (const timeline::TileMode mode : modes_of(timeline, node)) json.add({}, name_of(mode));
  json.close_array();
  json.add("events", std::to_string(node.events));
  for (const auto& [name, ts] :
       {std::pair("first_ts", node.first), std::pair("last_ts", node.last)}) {
    if (node.is_empty())
      json.add_raw(name, "null");
    else
      json.add(name, std::to_string(ts));
  }
  add_bound(json, node.bound);
  json.open_array("linked");
  if (node.type == NodeType::Process)
    for (const uint32_t other : tree.of_processes.at(node.upid.row))
      if (other != index) json.add({}, tree.nodes[other].number);
  json.close_array();
}

Result<Grouping> grouping_of(std::string_view name) {
  const std::optional<Grouping> grouping = timeline::find_grouping(name);
  if (!grouping)
    return fail(ErrorCode::Usage, "grouping: must be machine_file, machine, type or flat");
  return *grouping;
}
Result<Grouping> grouping_of(const Call& call) {
  const std::string* const name = call.find("grouping");
  return name == nullptr ? Grouping::MachineFile : grouping_of(*name);
}

// Returns the index of a node by its number or key. Error NotFound.
Result<uint32_t> find_index(const Tree& tree, const std::string& name) {
  if (const auto at = tree.by_key.find(name); at != tree.by_key.end()) return at->second;
  if (const std::optional<int64_t> number = parse_decimal(name); number && *number >= 0) {
    const auto at = tree.by_number.find(static_cast<uint32_t>(*number));
    if (*number < timeline::kNoNode && at != tree.by_number.end()) return at->second;
  }
  return fail(ErrorCode::NotFound, fmt::format("there is no node '{}'", cut_text(name, 200)));
}

Result<std::string> tree_json(const Timeline& timeline, const Call& call) {
  TB_TRY_ASSIGN(const Grouping grouping, grouping_of(call));
  TB_TRY_ASSIGN(const int64_t depth, number_parameter(call, "depth", 1, 1, kMostDepth));
  TB_TRY_ASSIGN(const int64_t offset, number_parameter(call, "offset", 0, 0, INT64_MAX));
  TB_TRY_ASSIGN(const int64_t limit, number_parameter(call, "limit", kMostNodes, 1, kMostNodes));
  TB_TRY_ASSIGN(const int64_t shows_empty, number_parameter(call, "empty", 0, 0, 1));
  const Tree& tree = timeline.tree(grouping);
  uint32_t begin = 0, end = static_cast<uint32_t>(tree.nodes.size()), top = 0;
  OptRow parent;
  if (const std::string* const name = call.find("parent")) {
    TB_TRY_ASSIGN(const uint32_t index, find_index(tree, *name));
    parent = {tree.nodes[index].number};
    begin = index + 1;
    end = tree.nodes[index].end;
    top = tree.nodes[index].level + 1;
  }
  JsonText json(JsonText::kCompact);
  json.open_object().add("grouping", name_of(grouping));
  add_row(json, "parent", parent);
  json.add("offset", offset);
  int64_t total = 0;
  JsonText nodes(JsonText::kCompact);
  nodes.open_array();
  for (uint32_t index = begin; index < end;) {
    const TreeNode& node = tree.nodes[index];
    const bool is_shown = shows_empty != 0 || !is_hidden(node);
    if (is_shown && total >= offset && total - offset < limit) {
      nodes.open_object();
      add_node(nodes, timeline, tree, index, shows_empty != 0);
      nodes.close_object();
    }
    if (is_shown) ++total;
    // A hidden node hides the nodes below it, too.
    index = is_shown && node.level + 1 < top + depth ? index + 1 : node.end;
  }
  nodes.close_array();
  json.add("total", total);
  json.add("hidden", count_children(tree, begin, end, shows_empty != 0).hidden);
  json.add("start_ts", std::to_string(timeline.store().trace_start));
  json.add("end_ts", std::to_string(timeline.store().trace_end));
  json.add_raw("nodes", std::move(nodes).finish()).close_object();
  return std::move(json).finish();
}

http::Response get_tracks(Api& api, const Call& call) {
  return answer_with_timeline(api, call,
                              [&](const Timeline& timeline) { return tree_json(timeline, call); });
}

http::Response get_track(Api& api, const Call& call) {
  return answer_with_timeline(api, call, [&](const Timeline& timeline) -> Result<std::string> {
    TB_TRY_ASSIGN(const Grouping grouping, grouping_of(call));
    const Tree& tree = timeline.tree(grouping);
    TB_TRY_ASSIGN(const uint32_t index, find_index(tree, call.ids[1]));
    std::vector<uint32_t> path;
    for (uint32_t at = tree.nodes[index].parent; at != timeline::kNoNode;
         at = tree.nodes[at].parent)
      path.push_back(tree.nodes[at].number);
    std::ranges::reverse(path);
    JsonText json(JsonText::kCompact);
    json.open_object().open_object("node");
    add_node(json, timeline, tree, index, true);
    json.close_object().open_array("path");
    for (const uint32_t number : path) json.add({}, number);
    json.close_array().close_object();
    return std::move(json).finish();
  });
}

Result<std::string> found_json(const Timeline& timeline, const Call& call) {
  TB_TRY_ASSIGN(const JsonValue body, parse_json(call.request->body));
  TB_TRY_ASSIGN(const std::string text, body.member("text").text());
  TB_TRY_ASSIGN(const std::string name, body.member("grouping").text("machine_file"));
  TB_TRY_ASSIGN(const Grouping grouping, grouping_of(name));
  TB_TRY_ASSIGN(const int64_t limit, body.member("limit").integer(100));
  if (limit < 1 || limit > kMostNodes)
    return fail(ErrorCode::Usage, fmt::format("limit: must be from 1 to {}", kMostNodes));
  const Tree& tree = timeline.tree(grouping);
  const std::vector<uint32_t> found = find_nodes(tree, text);
  JsonText json(JsonText::kCompact);
  json.open_object().add("total", found.size()).open_array("nodes");
  for (size_t i = 0; i < std::min(found.size(), static_cast<size_t>(limit)); ++i) {
    json.open_object();
    add_node(json, timeline, tree, found[i], true);
    std::vector<std::string_view> titles;
    for (uint32_t at = tree.nodes[found[i]].parent; at != timeline::kNoNode;
         at = tree.nodes[at].parent)
      titles.push_back(tree.nodes[at].title);
    json.open_array("path");
    for (size_t title = titles.size(); title > 0; --title)
      json.add({}, cut_text(titles[title - 1], 4096));
    json.close_array().close_object();
  }
  json.close_array().close_object();
  return std::move(json).finish();
}

http::Response find_tracks(Api& api, const Call& call) {
  return answer_with_timeline(api, call,
                              [&](const Timeline& timeline) { return found_json(timeline, call); });
}

}  // namespace

std::vector<Route> track_routes() {
  return {{.method = "GET",
           .path = "/traces/{t}/tracks",
           .about = "nodes of the tree of tracks below a node",
           .answer = get_tracks,
           .on = TaskClass::Answers,
           .parameters = {{"parent", "number or key of a node; without it the root"},
                          {"grouping", "machine_file (default), machine, type or flat"},
                          {"depth", "levels below the parent: 1 to 16"},
                          {"offset", "number of the first node"},
                          {"limit", "nodes of the answer: at most 1000"},
                          {"empty", "1: with empty processes and threads"}},
           .schema = kTreeSchema},
          {.method = "GET",
           .path = "/traces/{t}/tracks/{k}",
           .about = "one node by its number or key, and the nodes above it",
           .answer = get_track,
           .on = TaskClass::Answers,
           .parameters = {{"grouping", "machine_file (default), machine, type or flat"}},
           .schema = kNodeSchema},
          {.method = "POST",
           .path = "/traces/{t}/tracks/find",
           .about = "nodes whose titles have the letters of a text, the best first",
           .answer = find_tracks,
           .on = TaskClass::Answers,
           .most_body = kMostJson,
           .body = kFindBody,
           .schema = kFoundSchema}};
}

}  // namespace tracebraid::api
