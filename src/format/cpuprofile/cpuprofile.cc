// The format: V8 CPU profiles, as node --cpu-prof and DevTools save them.
//
// Nodes form a tree by `children` or `parent`. Samples refer to nodes and are timeDeltas apart, in
// microseconds from startTime on. The form of before 2016 has the tree in `head` and the times in
// `timestamps`.
#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/words.h"
#include "event/stats.h"
#include "format/common/aggregate_profile.h"
#include "format/common/json_document.h"
#include "format/common/json_scan.h"
#include "format/common/profile.h"
#include "format/common/script_frame.h"
#include "format/common/stats.h"
#include "format/format.h"

namespace tracebraid::cpuprofile {
namespace {

constexpr double kNsPerUs = 1e3;
constexpr double kNsPerSecond = 1e9;
constexpr int kMaxDepth = 1000;  // of trees of the old form

class Reader {
 public:
  Reader(EventSink& sink, const JsonFile& file, const Input& input)
      : sink_(sink),
        file_(file.block),
        root_(file.root),
        input_(input),
        clock_(private_clock(sink)) {
    thread_ = sink.thread({.tid = 1, .pid = 1});
    const std::string title = scanned_text(root_["title"]);
    name_thread(sink, thread_, title.empty() ? "V8" : title);
  }

  void read() {
    if (const json::Value& head = root_["head"]; head.is_given()) {
      JsonScan scan(head.raw, &input_);
      read_node(scan, kNone, 0);
    } else {
      read_nodes();
    }
    link();
    read_samples();
  }

 private:
  struct Node {
    uint32_t frame = kNone;
    uint32_t parent = kNone;    // index of a node
    uint32_t callsite = kNone;  // valid if `is_known`
    bool is_known = false;
    double hits = 0;  // number of samples of the node
  };
  struct Link {
    uint32_t node;
    int64_t id;
  };

  void read_nodes();
  void read_node(JsonScan& scan, uint32_t parent, int depth);
  void read_children(JsonScan& scan, uint32_t node, int depth);
  void link();
  uint32_t callsite(uint32_t node);
  uint32_t callsite_of(const json::Value& id);
  void read_samples();
  void write_hits();

  EventSink& sink_;
  const Block& file_;
  const JsonFields& root_;
  const Input& input_;
  uint32_t clock_;
  uint32_t thread_;
  std::vector<Node> nodes_;
  absl::flat_hash_map<int64_t, uint32_t> ids_;  // indexes of the nodes
  std::vector<uint32_t> small_ids_;             // as ids_, for ids that are small numbers
  std::vector<Link> parents_, children_;        // as nodes name them, before all ids are known
};

void Reader::read_nodes() {
  JsonScan scan(root_["nodes"].raw, &input_);
  if (scan.enter('['))
    while (scan.next_item()) read_node(scan, kNone, 0);
}

// The source location of a function, of a node or of its callFrame.
struct Function {
  std::string name, url, deopt_reason;
  int64_t line = kNoLine;

  // Returns false, without taking the value, for another member.
  bool take(std::string_view key, JsonScan& scan) {
    if (key == "functionName")
      name = scanned_text(scan.take());
    else if (key == "url")
      url = scanned_text(scan.take());
    else if (key == "deoptReason")
      deopt_reason = scanned_text(scan.take());
    else if (key == "lineNumber")
      line = scanned_integer(scan.take()).value_or(kNoLine);
    else
      return false;
    return true;
  }
};

void Reader::read_node(JsonScan& scan, uint32_t parent, int depth) {
  const char* const from = scan.position();
  if (depth > kMaxDepth || !scan.enter('{')) {
    if (depth > kMaxDepth) scan.take();
    return count_json(sink_, stats::v8_profile_unknown_node, file_, from);
  }
  const auto index = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back({.parent = parent});
  Function function;
  std::string_view key;
  while (scan.next_member(key)) {
    if (function.take(key, scan)) continue;
    if (key == "id") {
      if (const auto id = scanned_integer(scan.take())) ids_[*id] = index;
    } else if (key == "parent") {
      if (const auto id = scanned_integer(scan.take())) parents_.push_back({index, *id});
    } else if (key == "children") {
      read_children(scan, index, depth);
    } else if (key == "hitCount") {
      nodes_[index].hits = scanned_number(scan.take()).value_or(0);
    } else if (key == "callFrame" && scan.enter('{')) {
      while (scan.next_member(key))
        if (!function.take(key, scan)) scan.take();
    } else if (key != "callFrame") {
      scan.take();
    }
  }
  nodes_[index].frame = script_frame(sink_, {.name = function.name,
                                             .url = function.url,
                                             .line = function.line,
                                             .deopt_reason = function.deopt_reason});
}

// Reads nodes, in the old form, or their ids.
void Reader::read_children(JsonScan& scan, uint32_t node, int depth) {
  const bool is_tree = root_["head"].is_given();
  if (!scan.enter('[')) return;
  while (scan.next_item()) {
    if (is_tree)
      read_node(scan, node, depth + 1);
    else if (const auto id = scanned_integer(scan.take()))
      children_.push_back({node, *id});
  }
}

// Adds links of parents, then of children. A node's list of children precedes links of the
// children.
void Reader::link() {
  for (const Link& link : parents_)
    if (const auto parent = ids_.find(link.id); parent != ids_.end())
      nodes_[link.node].parent = parent->second;
  for (const Link& link : children_)
    if (const auto child = ids_.find(link.id); child != ids_.end())
      nodes_[child->second].parent = link.node;
  constexpr int64_t kSmall = 1 << 16;
  for (const auto& [id, node] : ids_) {
    if (id < 0 || id >= kSmall) continue;
    const auto at = static_cast<size_t>(id);
    if (at >= small_ids_.size()) small_ids_.resize(at + 1, kNone);
    small_ids_[at] = node;
  }
}

// Breaks cycles of parents where they close.
uint32_t Reader::callsite(uint32_t node) {
  if (nodes_[node].is_known) return nodes_[node].callsite;
  std::vector<uint32_t> chain;
  uint32_t parent = kNone;
  for (uint32_t at = node; at != kNone; at = nodes_[at].parent) {
    if (std::exchange(nodes_[at].is_known, true)) {
      parent = nodes_[at].callsite;
      break;
    }
    chain.push_back(at);
  }
  for (size_t i = chain.size(); i-- > 0;) {
    Node& of = nodes_[chain[i]];
    if (of.frame != kNone) parent = sink_.callsite(parent, of.frame);
    of.callsite = parent;
  }
  return parent;
}

uint32_t Reader::callsite_of(const json::Value& id) {
  const std::optional<int64_t> number = scanned_integer(id);
  if (number && static_cast<uint64_t>(*number) < small_ids_.size())
    if (const uint32_t node = small_ids_[static_cast<size_t>(*number)]; node != kNone)
      return callsite(node);
  const auto at = number ? ids_.find(*number) : ids_.end();
  if (at != ids_.end()) return callsite(at->second);
  count_json(sink_, stats::v8_profile_unknown_node, file_, id.raw.data());
  return kNone;
}

// Values that are no numbers count as 0.
std::optional<int64_t> ns_of_us(const json::Value& us) {
  int64_t ns = 0;
  if (const std::optional<int64_t> whole = scanned_integer(us);
      whole && !__builtin_mul_overflow(*whole, static_cast<int64_t>(kNsPerUs), &ns))
    return ns;
  return ns_of(scanned_number(us).value_or(0), kNsPerUs);
}

// Writes a profile without times: the nodes have numbers of hits if there is no list of samples.
void Reader::write_hits() {
  const bool has_hits = std::ranges::any_of(nodes_, [](const Node& node) { return node.hits > 0; });
  if (!has_hits) return;
  AggregateProfile profile(sink_);
  profile.begin("cpuprofile", "samples", "count");
  for (uint32_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].hits > 0) profile.sample(callsite(i), nodes_[i].hits);
}

// Reads samples and their times in parallel: timestamps, or differences from the start. In the old
// form startTime is in seconds.
void Reader::read_samples() {
  JsonScan samples(root_["samples"].raw, &input_);
  JsonScan stamps(root_["timestamps"].raw, &input_), deltas(root_["timeDeltas"].raw, &input_);
  bool has_sample = samples.enter('[') && samples.next_item();
  bool has_time = stamps.enter('[') && stamps.next_item();
  if (!has_sample) write_hits();
  const bool is_stamped = has_time;
  JsonScan& times = is_stamped ? stamps : deltas;
  if (!is_stamped) has_time = deltas.enter('[') && deltas.next_item();
  const bool is_old = root_["head"].is_given();
  std::optional<int64_t> at =
      ns_of(scanned_number(root_["startTime"]).value_or(0), is_old ? kNsPerSecond : kNsPerUs);
  // Reserves memory for all, because there may be many.
  const std::string_view list = root_["samples"].raw;
  sink_.expect_events(static_cast<size_t>(std::ranges::count(list, ',')) + 1);
  SampleWriter writer(sink_, "cpuprofile", clock_, thread_);
  while (has_sample && has_time) {
    const json::Value& us = times.take();
    const std::optional<int64_t> ns = ns_of_us(us);
    int64_t sum = 0;
    if (is_stamped)
      at = scanned_number(us) ? ns : std::nullopt;
    else if (at && ns && !__builtin_add_overflow(*at, *ns, &sum))
      at = sum;
    else
      at.reset();
    const uint32_t callsite = callsite_of(samples.take());
    if (at)
      writer.write(*at, callsite);
    else
      count_json(sink_, stats::timestamp_out_of_range, file_, us.raw.data());
    has_sample = samples.next_item();
    has_time = times.next_item();
  }
  if (has_sample != has_time)
    count_json(sink_, stats::v8_profile_length_mismatch, file_,
               (has_sample ? samples : times).position());
}

Result<> read(Input& input, const ReadOptions&, Chunks& chunks) {
  TB_TRY_ASSIGN(const JsonFile file, open_json(input));
  EventSink& sink = chunks.add();
  if (file.root.is_cut()) sink.count(stats::trace_truncated, input.offset());
  Reader(sink, file, input).read();
  return {};
}

// The head of the file contains the first members of a profile: nodes, or numbers of nodes and
// times, if these come first.
Match sniff(const Peek& peek) {
  const std::string squeezed = without_blanks(peek.head);
  const std::string_view text = without_byte_order_mark(squeezed);
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  if (!text.starts_with("{\"") || has("\"traceEvents\"") || has("\"ph\"")) return Match::No;
  const bool begins = std::ranges::any_of(
      std::initializer_list<std::string_view>{"nodes", "head", "typeId", "title", "startTime",
                                              "endTime", "samples", "timeDeltas", "$vscode"},
      [&](std::string_view key) {
        return text.substr(2).starts_with(key) && text.substr(2 + key.size()).starts_with("\":");
      });
  if (!begins) return Match::No;
  if (has("\"functionName\""))
    return has("\"callFrame\"") || has("\"callUID\"") ? Match::Likely : Match::No;
  constexpr std::string_view kSamples = "\"samples\":[";
  const size_t samples = text.find(kSamples);
  const bool has_numbers = samples != std::string_view::npos &&
                           samples + kSamples.size() < text.size() &&
                           is_digit(text[samples + kSamples.size()]);
  return has_numbers || has("\"timeDeltas\":[") ? Match::Likely : Match::No;
}

}  // namespace

extern const Format kFormat;  // format.cc declares it, too
const Format kFormat{
    .name = "cpuprofile",
    .title = "V8 CPU profile (.cpuprofile)",
    .about =
        "Profiles of node --cpu-prof and of DevTools: samples of one thread, which is tid 1 of "
        "process 1. A profile without a list of samples is read as counts of stacks (hitCount).",
    .times = "the file's own: startTime is a reading of a clock that the file does not name.",
    .tables = "cpu_profile_stack_sample (of counts: aggregate_sample), the stack_profile tables.",
    .clock = {.domain = kPrivateClock, .claims_trace_time = true, .is_default = true},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::cpuprofile
