#include "merge/align/causality.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "base/disjoint_sets.h"
#include "clock/error_bounds.h"

namespace tracebraid::align {
namespace {

constexpr size_t kMostViolations = 100'000;
constexpr int64_t kDeviceErrorNs = 10'000;  // of device times that the writer converted

// One end of a pair.
struct End {
  Side side;
  FileId file;
};

// Returns the bounds of two clocks against each other, which are smaller than the sum of their
// bounds to trace time if both have the same error.
class Relations {
 public:
  explicit Relations(const PlacedClocks& clocks)
      : graph_(clocks.graph),
        model_(clocks.placement.model()),
        to_trace_time_(clocks.graph, clocks.placement),
        solves_(std::max(kFewestSolves, kMostSolved / std::max<size_t>(1, clocks.graph.size()))),
        related_(clocks.graph.size()) {
    for (const ClockGraph::Snapshot& snapshot : graph_.snapshots()) {
      if (snapshot.origin.kind == EvidenceKind::Guessed) continue;
      const std::span<const ClockId> of = graph_.clocks_of(snapshot);
      for (const ClockId clock : of) related_.join(of.front().row, clock.row);
    }
  }

  // Returns the bound of a reading of `from` as a reading of `to`; kUnbounded if only a guess
  // relates the two.
  int64_t bound(ClockId from, int64_t reading, ClockId to, int64_t reading_of_to) {
    if (related_.root(from.row) != related_.root(to.row)) return kUnbounded;
    auto known = targets_.find(to);
    if (known == targets_.end() && solves_ == 0)
      return add_uncertainty(to_trace_time_.at(from, reading),
                             to_trace_time_.at(to, reading_of_to));
    if (known == targets_.end()) {
      if (targets_.size() == kMostTargets) targets_.clear();
      --solves_;
      known = targets_.emplace(to, std::make_unique<ToClock>(graph_, to, model_)).first;
    }
    return known->second->bounds.at(from, reading);
  }

 private:
  static constexpr size_t kMostTargets =
      64;  // each takes as much memory as all clocks of the trace
  // Finding all paths to a clock takes as long as there are clocks. Many targets of many clocks get
  // the sum of the bounds to trace time, which is larger.
  static constexpr size_t kMostSolved = 50'000'000, kFewestSolves = 64;

  struct ToClock {
    ToClock(const ClockGraph& graph, ClockId to, ClockModel model)
        : placement(graph.solve_for(to, model)), bounds(graph, placement) {}
    Placement placement;
    ErrorBounds bounds;
  };

  const ClockGraph& graph_;
  ClockModel model_;
  ErrorBounds to_trace_time_;
  size_t solves_;         // that are left
  DisjointSets related_;  // clocks that more than guesses connect
  absl::flat_hash_map<ClockId, std::unique_ptr<ToClock>> targets_;
};

// Places readings of two clocks of batches.
class PlacedPair {
 public:
  PlacedPair(const PlacedClocks& clocks, const End& cause, const End& effect)
      : nodes_{node(clocks, cause), node(clocks, effect)},
        cursors_{clocks.placement.cursor(nodes_[0]), clocks.placement.cursor(nodes_[1])} {}

  // Sets the times; false for a clock without a place and for an ambiguous reading.
  bool place(int64_t cause, int64_t effect, int64_t& caused, int64_t& effected) {
    return cursors_[0].place_ns(cause, caused) && cursors_[1].place_ns(effect, effected);
  }
  std::optional<int64_t> gap(int64_t cause, int64_t effect) {
    int64_t from = 0, to = 0, gap = 0;
    if (!place(cause, effect, from, to) || __builtin_sub_overflow(to, from, &gap))
      return std::nullopt;
    return gap;
  }
  // Returns the bound of a cause against the clock of its effect.
  std::optional<int64_t> bound(int64_t cause, int64_t effect, Relations& relations) const {
    const int64_t bound = relations.bound(nodes_[0], cause, nodes_[1], effect);
    return bound == kUnbounded ? std::nullopt : std::optional(bound);
  }
  // Returns the order of a cause and its effect, which lies `gap` ns behind it. `slack_ns`: how far
  // the effect may precede the cause by the errors of the recordings alone.
  Order order(int64_t cause, int64_t effect, int64_t gap, int64_t slack_ns,
              Relations& relations) const {
    if (gap >= -slack_ns) return Order::Ok;
    const std::optional<int64_t> most = bound(cause, effect, relations);
    if (!most) return Order::Unknown;
    return gap < -add_uncertainty(*most, slack_ns) ? Order::Certain : Order::Within;
  }

 private:
  static ClockId node(const PlacedClocks& clocks, const End& end) {
    return clocks.nodes[end.side.batch][end.side.clock];
  }
  ClockId nodes_[2];
  PlaceCursor cursors_[2];
};

// Kind, and file and machine of the cause and of the effect.
using RowKey = std::tuple<std::string_view, uint32_t, uint32_t, uint32_t, uint32_t>;

struct RowSums {
  std::vector<int64_t> gaps, before;
  int64_t by_order[4] = {};
  int64_t before_violations = 0;
};

// The pairs of one kind between two clocks.
struct Direction {
  std::string_view kind;
  RowSums& sums;
  PlacedPair now;
  std::optional<PlacedPair> before;
};

class Checker {
 public:
  Checker(const Trackers& trackers, const PlacedClocks& now, const PlacedClocks* before)
      : trackers_(trackers), now_(now), before_(before), relations_(now) {
    if (before != nullptr) before_relations_.emplace(*before);
  }

  Direction direction(std::string_view kind, const End& cause, const End& effect) {
    RowSums& row =
        rows_[{kind, cause.file.row, machine_of(cause), effect.file.row, machine_of(effect)}];
    Direction direction{kind, row, {now_, cause, effect}, {}};
    if (before_ != nullptr) direction.before.emplace(*before_, cause, effect);
    return direction;
  }

  // Adds the readings of a cause and its effect. `key` returns the text of the key.
  template <class Key>
  void add(Direction& of, int64_t cause, int64_t effect, int64_t slack_ns, Key key) {
    const std::optional<int64_t> gap = of.now.gap(cause, effect);
    if (!gap) return;
    of.sums.gaps.push_back(*gap);
    if (const auto before = of.before ? of.before->gap(cause, effect) : std::nullopt) {
      of.sums.before.push_back(*before);
      const Order order = of.before->order(cause, effect, *before, slack_ns, *before_relations_);
      of.sums.before_violations += order >= Order::Certain ? 1 : 0;
    }
    const Order order = of.now.order(cause, effect, *gap, slack_ns, relations_);
    ++of.sums.by_order[static_cast<size_t>(order)];
    if (order == Order::Ok) return;
    CausalViolation violation{.kind = of.kind, .key = key(), .order = order};
    of.now.place(cause, effect, violation.cause_ts, violation.effect_ts);
    violation.uncertainty_ns = of.now.bound(cause, effect, relations_);
    violations_.push_back(std::move(violation));
    if (violations_.size() >= 2 * kMostViolations) cut();
  }

  std::vector<CausalViolation> finish(Store& store) && {
    for (auto& [key, row] : rows_)
      if (!row.gaps.empty()) append(key, row, store);
    cut();
    return std::move(violations_);
  }

 private:
  uint32_t machine_of(const End& end) const {
    const BatchTrackers& batch = trackers_.batches[end.side.batch];
    return trackers_.at(batch.by_machine[batch.batch->clocks[end.side.clock].machine]).machine.row;
  }

  // Keeps the worst violations.
  void cut() {
    std::ranges::stable_sort(violations_, {}, [](const CausalViolation& v) {
      return std::tuple(v.gap_ns(), v.cause_ts, v.effect_ts, std::string_view(v.key));
    });
    if (violations_.size() > kMostViolations) violations_.resize(kMostViolations);
  }

  void append(const RowKey& key, RowSums& row, Store& store) const {
    CausalityTable& table = store.causality;
    const auto& [kind, from_file, from_machine, to_file, to_machine] = key;
    const int64_t median = of_rank(row.gaps, row.gaps.size() / 2);
    const int64_t first = of_rank(row.gaps, row.gaps.size() / 100);
    table.kind.append(store.strings.intern(kind));
    table.from_trace_id.append(from_file);
    table.from_machine_id.append(from_machine);
    table.to_trace_id.append(to_file);
    table.to_machine_id.append(to_machine);
    table.pairs.append(static_cast<int64_t>(row.gaps.size()));
    table.ok.append(row.by_order[static_cast<size_t>(Order::Ok)]);
    table.within.append(row.by_order[static_cast<size_t>(Order::Within)]);
    table.certain.append(row.by_order[static_cast<size_t>(Order::Certain)]);
    table.unknown.append(row.by_order[static_cast<size_t>(Order::Unknown)]);
    table.least_gap_ns.append(*std::ranges::min_element(row.gaps));
    table.p1_gap_ns.append(first);
    table.median_gap_ns.append(median);
    table.before_certain.append(before_ ? OptInt{row.before_violations} : OptInt{});
    table.before_median_gap_ns.append(
        row.before.empty() ? OptInt{} : OptInt{of_rank(row.before, row.before.size() / 2)});
  }

  static int64_t of_rank(std::vector<int64_t>& values, size_t rank) {
    const auto at = values.begin() + static_cast<ptrdiff_t>(rank);
    std::ranges::nth_element(values, at);
    return *at;
  }

  const Trackers& trackers_;
  const PlacedClocks& now_;
  const PlacedClocks* before_;
  Relations relations_;
  std::optional<Relations> before_relations_;
  std::map<RowKey, RowSums> rows_;
  std::vector<CausalViolation> violations_;
};

void add_causes(const Causes& causes, Checker& checker) {
  for (const auto& [of, of_pair] : *causes.links) {
    const Recording &a = causes.recordings[of.first], &b = causes.recordings[of.second];
    const End at_a{a.side, a.file}, at_b{b.side, b.file};
    Direction to_b = checker.direction(causes.kind, at_a, at_b);
    Direction to_a = checker.direction(causes.kind, at_b, at_a);
    for (const CauseLink& link : of_pair) {
      const auto key = [&] { return causes.id_text(link.id); };
      if (link.leads_to_b)
        checker.add(to_b, link.a, link.b, 0, key);
      else
        checker.add(to_a, link.b, link.a, 0, key);
    }
  }
}

// The operation of one rank, placed.
struct PlacedOperation {
  uint64_t key;
  size_t recording;
  const Operation* operation;
  int64_t start, end;  // trace time, ns
};

std::vector<PlacedOperation> placed_operations(std::span<const RankRecording> ranks,
                                               const PlacedClocks& now) {
  std::vector<PlacedOperation> all;
  for (size_t i = 0; i < ranks.size(); ++i) {
    PlaceCursor cursor = now.placement.cursor(now.nodes[ranks[i].side.batch][ranks[i].side.clock]);
    for (const Operation& op : ranks[i].operations) {
      int64_t start = 0, end = 0;
      if (cursor.place_ns(op.start, start) && cursor.place_ns(op.end, end))
        all.push_back({op.key, i, &op, start, end});
    }
  }
  std::ranges::stable_sort(
      all, {}, [](const PlacedOperation& op) { return std::pair(op.key, op.recording); });
  return all;
}

// Whether all ranks are of one job and have the operation once.
bool is_whole(std::span<const PlacedOperation> of_key, std::span<const RankRecording> ranks) {
  for (size_t i = 1; i < of_key.size(); ++i) {
    const RankRecording &before = ranks[of_key[i - 1].recording], &at = ranks[of_key[i].recording];
    if (of_key[i].recording == of_key[i - 1].recording || !at.rank || !at.world_size ||
        at.world_size != before.world_size || at.rank == before.rank ||
        of_key[i].operation->ranks != of_key[i - 1].operation->ranks)
      return false;
  }
  return of_key.size() > 1;
}

// Of each operation, the rank that starts last and the rank that ends first are one pair.
void add_meetings(const Meetings& meetings, const PlacedClocks& now, Checker& checker) {
  const std::span<const RankRecording> ranks = meetings.ranks;
  const std::vector<PlacedOperation> all = placed_operations(ranks, now);
  std::map<std::pair<size_t, size_t>, Direction> directions;  // by recordings
  for (size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].key == all[begin].key) ++end;
    const auto of_key = std::span(all).subspan(begin, end - begin);
    if (!is_whole(of_key, ranks)) continue;
    const auto last = std::ranges::max_element(of_key, {}, &PlacedOperation::start);
    const auto first = std::ranges::min_element(of_key, {}, &PlacedOperation::end);
    if (last == first) continue;
    const RankRecording &cause = ranks[last->recording], &effect = ranks[first->recording];
    const std::pair of(last->recording, first->recording);
    auto at = directions.find(of);
    if (at == directions.end())
      at = directions
               .emplace(of, checker.direction(meetings.kind, {cause.side, cause.file},
                                              {effect.side, effect.file}))
               .first;
    checker.add(at->second, last->operation->start, first->operation->end, kDeviceErrorNs,
                [&] { return key_text(cause, *last->operation); });
  }
}

}  // namespace

std::vector<CausalViolation> check_causality(const CausalityInput& input, const Trackers& trackers,
                                             const PlacedClocks& now, const PlacedClocks* before,
                                             Store& store) {
  Checker checker(trackers, now, before);
  for (const Causes& causes : input.causes) add_causes(causes, checker);
  for (const Meetings& meetings : input.meetings) add_meetings(meetings, now, checker);
  return std::move(checker).finish(store);
}

void fill_causality_violations(std::span<const CausalViolation> violations, Store& store) {
  const FlowViolationTable& flows = store.flow_violations;
  absl::flat_hash_map<std::pair<std::string, int64_t>, size_t>
      rows;  // by key and time of the cause
  for (size_t row = 0; row < flows.rows() && !violations.empty(); ++row)
    rows.try_emplace(
        {flow_id_text(static_cast<uint64_t>(flows.trace_id[row].value)), flows.start_ts[row]}, row);
  CausalityViolationTable& table = store.causality_violations;
  for (const CausalViolation& violation : violations) {
    const auto at =
        violation.kind == "flows" ? rows.find({violation.key, violation.cause_ts}) : rows.end();
    table.kind.append(store.strings.intern(violation.kind));
    table.key.append(store.strings.intern(violation.key));
    table.slice_out.append(at == rows.end() ? OptRow{} : flows.slice_out[at->second]);
    table.slice_in.append(at == rows.end() ? OptRow{} : flows.slice_in[at->second]);
    table.cause_ts.append(violation.cause_ts);
    table.effect_ts.append(violation.effect_ts);
    table.gap_ns.append(violation.gap_ns());
    table.uncertainty_ns.append(violation.uncertainty_ns ? OptInt{*violation.uncertainty_ns}
                                                         : OptInt{});
    table.verdict.append(store.strings.intern(name_of(violation.order)));
  }
}

}  // namespace tracebraid::align
