// The tree of tracks: GET /traces/{t}/tracks, /tracks/{k} and POST /tracks/find.
#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/cut_text.h"
#include "base/words.h"
#include "server/api/node_columns.h"
#include "server/api/node_members.h"
#include "server/api/parameters.h"
#include "server/api/timeline_call.h"

namespace tracebraid::api {
namespace {

using timeline::Grouping;
using timeline::Tree;
using timeline::TreeNode;

constexpr int64_t kMostNodes = 1000, kMostInColumns = 20'000, kMostDepth = 16;

constexpr std::string_view kTreeSchema =
    R"({"type":"object","required":["grouping","parent","offset","total","hidden","start_ts","end_ts"],"properties":{"grouping":{"type":"string"},"parent":{"type":["integer","null"]},"offset":{"type":"integer"},"total":{"type":"integer"},"hidden":{"type":"integer"},"start_ts":{"type":"string"},"end_ts":{"type":"string"},"columns":{"type":"object"},"nodes":{"type":"array","items":{"type":"object","required":["node","key","parent","level","type","kind","title","children","hidden","empty","modes","events","bound"]}}}})";
constexpr std::string_view kNodeSchema =
    R"({"type":"object","required":["node","path"],"properties":{"node":{"type":"object"},"path":{"type":"array","items":{"type":"integer"}}}})";
constexpr std::string_view kFoundSchema =
    R"({"type":"object","required":["total","nodes"],"properties":{"total":{"type":"integer"},"nodes":{"type":"array","items":{"type":"object"}}}})";
constexpr std::string_view kFindBody =
    R"({"type":"object","required":["text"],"properties":{"text":{"type":"string"},"grouping":{"enum":["machine_file","machine","type","flat"]},"limit":{"type":"integer"}}})";

// Adds the members of a node to an open object.
void add_node(JsonText& json, const Timeline& timeline, const Tree& tree, uint32_t index,
              bool shows_empty) {
  add_members([&](std::string_view name, const std::string& value) { json.add_raw(name, value); },
              timeline, tree, index, shows_empty, tree.nodes[index].key);
}

// Returns what the key of a node has beyond that of its parent.
std::string_view key_below_parent(const Tree& tree, uint32_t index) {
  const TreeNode& node = tree.nodes[index];
  return std::string_view(node.key).substr(tree.nodes[node.parent].key.size());
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
  TB_TRY_ASSIGN(const int64_t in_columns, number_parameter(call, "columns", 0, 0, 1));
  const int64_t most = in_columns != 0 ? kMostInColumns : kMostNodes;
  TB_TRY_ASSIGN(const int64_t limit, number_parameter(call, "limit", most, 1, most));
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
  NodeColumns columns;
  absl::flat_hash_set<uint32_t> written;  // indexes, as keys are cut if the parent is in the page
  for (uint32_t index = begin; index < end;) {
    const TreeNode& node = tree.nodes[index];
    const bool is_shown = shows_empty != 0 || !is_hidden(node);
    if (is_shown && total >= offset && total - offset < limit) {
      if (in_columns != 0) {
        const bool is_cut = written.contains(node.parent);
        add_members(
            [&](std::string_view name, std::string value) { columns.add(name, std::move(value)); },
            timeline, tree, index, shows_empty != 0,
            is_cut ? key_below_parent(tree, index) : node.key);
        columns.end_node();
        written.insert(index);
      } else {
        nodes.open_object();
        add_node(nodes, timeline, tree, index, shows_empty != 0);
        nodes.close_object();
      }
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
  if (in_columns != 0)
    json.add_raw("columns", std::move(columns).finish());
  else
    json.add_raw("nodes", std::move(nodes).finish());
  json.close_object();
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
                          {"limit", "nodes of the answer: at most 1000, in columns 20000"},
                          {"empty", "1: with empty processes and threads"},
                          {"columns", "1: the nodes by member, as `columns` instead of `nodes`"}},
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
