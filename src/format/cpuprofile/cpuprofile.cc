// The format: V8 CPU profiles, as node --cpu-prof and DevTools save them.
//
// Nodes are a tree by `children` or `parent`; samples name nodes, and are
// timeDeltas apart, in microseconds from startTime on. The form of before 2016 has
// the tree in `head` and the times in `timestamps`.
#include <absl/container/flat_hash_map.h>

#include "format/format.h"
#include "format/json_document.h"
#include "format/profile.h"
#include "format/script_frame.h"

namespace tracebraid::cpuprofile {
namespace {

constexpr double kNsPerUs = 1e3;
constexpr double kNsPerSecond = 1e9;

class Reader {
 public:
  Reader(EventSink& sink, const JsonValue& root)
      : sink_(sink), root_(root), clock_(private_clock(sink)) {
    thread_ = sink.thread({.tid = 1, .pid = 1});
    name_thread(sink, thread_, json_text(json_member(root, "title")).value_or("V8"));
  }

  void read() {
    read_nodes();
    read_samples();
  }

 private:
  struct Node {
    JsonValue value;
    std::optional<int64_t> parent;
  };

  void read_nodes();
  void read_old_tree(const JsonValue& head);
  uint32_t callsite(int64_t id);
  uint32_t frame_of(const JsonValue& node);
  std::vector<std::optional<int64_t>> times() const;
  void read_samples();

  EventSink& sink_;
  const JsonValue& root_;
  uint32_t clock_;
  uint32_t thread_;
  absl::flat_hash_map<int64_t, Node> nodes_;
  absl::flat_hash_map<int64_t, uint32_t> callsites_;
};

void Reader::read_nodes() {
  if (const JsonValue head = json_member(root_, "head")) return read_old_tree(head);
  const std::vector<JsonValue> nodes = json_items(json_member(root_, "nodes"));
  for (const JsonValue& node : nodes)
    if (const std::optional<int64_t> id = json_integer(json_member(node, "id")))
      nodes_[*id] = {node, json_integer(json_member(node, "parent"))};
  for (const JsonValue& node : nodes) {
    const std::optional<int64_t> id = json_integer(json_member(node, "id"));
    for (const JsonValue& child : json_items(json_member(node, "children")))
      if (const auto at = nodes_.find(json_integer(child).value_or(0)); at != nodes_.end() && id)
        at->second.parent = *id;
  }
}

void Reader::read_old_tree(const JsonValue& head) {
  std::vector<std::pair<JsonValue, std::optional<int64_t>>> open{{head, std::nullopt}};
  while (!open.empty()) {
    const auto [node, parent] = open.back();
    open.pop_back();
    const std::optional<int64_t> id = json_integer(json_member(node, "id"));
    if (!id) continue;
    nodes_[*id] = {node, parent};
    for (const JsonValue& child : json_items(json_member(node, "children")))
      open.emplace_back(child, id);
  }
}

uint32_t Reader::frame_of(const JsonValue& node) {
  const JsonValue call_frame = json_member(node, "callFrame");
  const JsonValue& call = call_frame ? call_frame : node;
  return script_frame(sink_,
                      {.name = json_text(json_member(call, "functionName")).value_or(""),
                       .url = json_text(json_member(call, "url")).value_or(""),
                       .line = json_integer(json_member(call, "lineNumber")).value_or(kNoLine),
                       .deopt_reason = json_text(json_member(node, "deoptReason")).value_or("")});
}

// A loop of parents is cut where it closes.
uint32_t Reader::callsite(int64_t id) {
  std::vector<int64_t> chain;
  uint32_t parent = kNone;
  for (std::optional<int64_t> at = id; at;) {
    const auto [known, is_new] = callsites_.try_emplace(*at, kNone);
    const auto node = nodes_.find(*at);
    if (!is_new || node == nodes_.end()) {
      parent = known->second;
      break;
    }
    chain.push_back(*at);
    at = node->second.parent;
  }
  for (size_t i = chain.size(); i-- > 0;) {
    const uint32_t frame = frame_of(nodes_[chain[i]].value);
    if (frame != kNone) parent = sink_.callsite(parent, frame);
    callsites_[chain[i]] = parent;
  }
  return parent;
}

std::vector<std::optional<int64_t>> Reader::times() const {
  std::vector<std::optional<int64_t>> times;
  const std::vector<JsonValue> stamps = json_items(json_member(root_, "timestamps"));
  for (const JsonValue& stamp : stamps) {
    const std::optional<double> us = json_number(stamp);
    times.push_back(us ? ns_of(*us, kNsPerUs) : std::nullopt);
  }
  if (!times.empty()) return times;
  // In the old form in seconds.
  const bool is_old = json_member(root_, "head").has_value();
  const double start = json_number(json_member(root_, "startTime")).value_or(0);
  std::optional<int64_t> at = ns_of(start, is_old ? kNsPerSecond : kNsPerUs);
  for (const JsonValue& delta : json_items(json_member(root_, "timeDeltas"))) {
    const std::optional<int64_t> ns = ns_of(json_number(delta).value_or(0), kNsPerUs);
    int64_t sum = 0;
    if (at && ns && !__builtin_add_overflow(*at, *ns, &sum))
      at = sum;
    else
      at.reset();
    times.push_back(at);
  }
  return times;
}

void Reader::read_samples() {
  const std::vector<JsonValue> samples = json_items(json_member(root_, "samples"));
  const std::vector<std::optional<int64_t>> when = times();
  if (samples.size() != when.size()) sink_.tally(Stat::v8_profile_length_mismatch);
  for (size_t i = 0; i < std::min(samples.size(), when.size()); ++i) {
    if (!when[i]) {
      sink_.tally(Stat::timestamp_out_of_range);
      continue;
    }
    const std::optional<int64_t> id = json_integer(samples[i]);
    if (!id || !nodes_.contains(*id)) sink_.tally(Stat::v8_profile_unknown_node);
    ProfileSample sample;
    sample.ts = *when[i];
    sample.clock = clock_;
    sample.thread = thread_;
    sample.source = "cpuprofile";
    if (id) sample.extra.callsite = callsite(*id);
    write_sample(sink_, sample);
  }
}

Result<> read(Input& input, const ReadOptions&, Pieces& pieces) {
  JsonDocument document;
  TB_TRY(parse_document(input, document));
  Reader(pieces.add(), document.root).read();
  return {};
}

// Of the members that a profile has, the first ones are in the head of the file.
Match sniff(const Peek& peek) {
  const size_t first = peek.head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || peek.head[first] != '{') return Match::No;
  const std::string_view text = peek.head.substr(first + 1);
  const size_t key = text.find_first_not_of(" \t\r\n");
  if (key == std::string_view::npos) return Match::No;
  const std::string_view rest = text.substr(key);
  const bool begins = rest.starts_with("\"nodes\"") || rest.starts_with("\"head\"") ||
                      rest.starts_with("\"typeId\"") || rest.starts_with("\"title\"");
  const auto has = [&](std::string_view part) { return rest.find(part) != std::string_view::npos; };
  if (!begins || !has("\"functionName\"") || has("\"traceEvents\"")) return Match::No;
  return has("\"callFrame\"") || has("\"callUID\"") ? Match::Likely : Match::No;
}

}  // namespace

extern const Format kFormat;  // declared where formats are listed
const Format kFormat{
    .name = "cpuprofile",
    .title = "V8 CPU profile (.cpuprofile)",
    .about =
        "Profiles of node --cpu-prof and of DevTools: samples of one thread, which is tid 1 "
        "of process 1.",
    .times = "the file's own: startTime is a reading of a clock that the file does not name.",
    .tables = "cpu_profile_stack_sample, stack_profile_callsite and its kin.",
    .clock = {.domain = kPrivateClock, .claims_trace_time = true, .is_default = true},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::cpuprofile
