#include "merge/align/causality.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "clock/error_bounds.h"

namespace tracebraid::align {
namespace {

constexpr size_t kMostViolations = 100'000;
constexpr int64_t kDeviceErrorNs = 10'000;  // of device times that the writer converted

// One end of a pair.
struct End {
  Side side;
  FileId file;
  int64_t reading = 0;
};

// Returns the bounds of two clocks against each other, which are smaller than the sum of their
// bounds to trace time if both have the same error.
class Relations {
 public:
  explicit Relations(const PlacedClocks& clocks)
      : graph_(clocks.graph), model_(clocks.placement.model()) {}

  int64_t bound(ClockId from, int64_t reading, ClockId to) {
    constexpr size_t kMostTargets = 64;  // each takes as much memory as all clocks of the trace
    if (!targets_.contains(to) && targets_.size() == kMostTargets) targets_.clear();
    std::unique_ptr<ToClock>& known = targets_[to];
    if (known == nullptr) known = std::make_unique<ToClock>(graph_, to, model_);
    return known->bounds.at(from, reading);
  }

 private:
  struct ToClock {
    ToClock(const ClockGraph& graph, ClockId to, ClockModel model)
        : placement(graph.solve_for(to, model)), bounds(graph, placement) {}
    Placement placement;
    ErrorBounds bounds;
  };
  const ClockGraph& graph_;
  ClockModel model_;
  absl::flat_hash_map<ClockId, std::unique_ptr<ToClock>> targets_;
};

// Places readings of the clocks of batches.
class Placer {
 public:
  explicit Placer(const PlacedClocks& clocks) : clocks_(clocks), relations_(clocks) {}

  ClockId node(const End& end) const { return clocks_.nodes[end.side.batch][end.side.clock]; }
  // Returns nothing for a clock without a place and an ambiguous reading.
  std::optional<int64_t> place(const End& end) {
    const ClockId clock = node(end);
    if (!clock) return std::nullopt;
    const auto [at, added] = cursors_.try_emplace(clock);
    if (added) at->second = clocks_.placement.cursor(clock);
    int64_t ns = 0;
    if (!at->second.place_ns(end.reading, ns)) return std::nullopt;
    return ns;
  }
  // Returns the order of a cause and its effect, which lies `gap` ns behind it. `slack_ns`: how far
  // the effect may precede the cause by the errors of the recordings alone.
  Order order(const End& cause, const End& effect, int64_t gap, int64_t slack_ns) {
    if (gap >= -slack_ns) return Order::Ok;
    const int64_t bound = relations_.bound(node(cause), cause.reading, node(effect));
    if (bound == kUnbounded) return Order::Unknown;
    return gap < -add_uncertainty(bound, slack_ns) ? Order::Certain : Order::Within;
  }
  std::optional<int64_t> gap(const End& cause, const End& effect) {
    const auto from = place(cause), to = place(effect);
    int64_t gap = 0;
    if (!from || !to || __builtin_sub_overflow(*to, *from, &gap)) return std::nullopt;
    return gap;
  }
  std::optional<int64_t> bound(const End& cause, const End& effect) {
    const int64_t bound = relations_.bound(node(cause), cause.reading, node(effect));
    return bound == kUnbounded ? std::nullopt : std::optional(bound);
  }

 private:
  const PlacedClocks& clocks_;
  Relations relations_;
  absl::flat_hash_map<ClockId, PlaceCursor> cursors_;
};

// Kind, and file and machine of the cause and of the effect.
using RowKey = std::tuple<std::string_view, uint32_t, uint32_t, uint32_t, uint32_t>;

struct RowSums {
  std::vector<int64_t> gaps, before;
  int64_t by_order[4] = {};
  int64_t before_violations = 0;
};

class Checker {
 public:
  Checker(const Trackers& trackers, const PlacedClocks& now, const PlacedClocks* before)
      : trackers_(trackers), now_(now) {
    if (before != nullptr) before_.emplace(*before);
  }

  // `key` returns the text of the key.
  template <class Key>
  void add(std::string_view kind, const End& cause, const End& effect, int64_t slack_ns, Key key) {
    const std::optional<int64_t> gap = now_.gap(cause, effect);
    if (!gap) return;
    RowSums& row =
        rows_[{kind, cause.file.row, machine_of(cause), effect.file.row, machine_of(effect)}];
    row.gaps.push_back(*gap);
    if (const auto before = before_ ? before_->gap(cause, effect) : std::nullopt) {
      row.before.push_back(*before);
      row.before_violations +=
          before_->order(cause, effect, *before, slack_ns) >= Order::Certain ? 1 : 0;
    }
    const Order order = now_.order(cause, effect, *gap, slack_ns);
    ++row.by_order[static_cast<size_t>(order)];
    if (order == Order::Ok) return;
    CausalViolation violation{.kind = kind, .key = key(), .order = order};
    violation.cause_ts = *now_.place(cause);
    violation.effect_ts = *now_.place(effect);
    violation.uncertainty_ns = now_.bound(cause, effect);
    violations_.push_back(std::move(violation));
    if (violations_.size() >= 2 * kMostViolations) cut();
  }

  std::vector<CausalViolation> finish(Store& store) && {
    for (auto& [key, row] : rows_) append(key, row, store);
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
    std::ranges::sort(row.gaps);
    std::ranges::sort(row.before);
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
    table.least_gap_ns.append(row.gaps.front());
    table.p1_gap_ns.append(row.gaps[row.gaps.size() / 100]);
    table.median_gap_ns.append(row.gaps[row.gaps.size() / 2]);
    table.before_certain.append(before_ ? OptInt{row.before_violations} : OptInt{});
    table.before_median_gap_ns.append(
        row.before.empty() ? OptInt{} : OptInt{row.before[row.before.size() / 2]});
  }

  const Trackers& trackers_;
  Placer now_;
  std::optional<Placer> before_;
  std::map<RowKey, RowSums> rows_;
  std::vector<CausalViolation> violations_;
};

void add_causes(const Causes& causes, Checker& checker) {
  for (const auto& [of, of_pair] : *causes.links) {
    const Recording &a = causes.recordings[of.first], &b = causes.recordings[of.second];
    for (const CauseLink& link : of_pair) {
      const End at_a{a.side, a.file, link.a}, at_b{b.side, b.file, link.b};
      checker.add(causes.kind, link.leads_to_b ? at_a : at_b, link.leads_to_b ? at_b : at_a, 0,
                  [&] { return causes.id_text(link.id); });
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
  Placer placer(now);
  std::vector<PlacedOperation> all;
  for (size_t i = 0; i < ranks.size(); ++i) {
    for (const Operation& op : ranks[i].operations) {
      const auto start = placer.place({ranks[i].side, ranks[i].file, op.start});
      const auto end = placer.place({ranks[i].side, ranks[i].file, op.end});
      if (start && end) all.push_back({op.key, i, &op, *start, *end});
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
void add_collectives(std::span<const RankRecording> ranks, const PlacedClocks& now,
                     Checker& checker) {
  const std::vector<PlacedOperation> all = placed_operations(ranks, now);
  for (size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].key == all[begin].key) ++end;
    const auto of_key = std::span(all).subspan(begin, end - begin);
    if (!is_whole(of_key, ranks)) continue;
    const auto last = std::ranges::max_element(of_key, {}, &PlacedOperation::start);
    const auto first = std::ranges::min_element(of_key, {}, &PlacedOperation::end);
    if (last == first) continue;
    const RankRecording &cause = ranks[last->recording], &effect = ranks[first->recording];
    checker.add("collectives", {cause.side, cause.file, last->operation->start},
                {effect.side, effect.file, first->operation->end}, kDeviceErrorNs,
                [&] { return key_text(cause, *last->operation); });
  }
}

}  // namespace

std::vector<CausalViolation> check_causality(const CausalityInput& input, const Trackers& trackers,
                                             const PlacedClocks& now, const PlacedClocks* before,
                                             Store& store) {
  Checker checker(trackers, now, before);
  for (const Causes& causes : input.causes) add_causes(causes, checker);
  add_collectives(input.ranks, now, checker);
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
