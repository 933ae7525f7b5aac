#include "query/operators/flame_tree.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "query/functions/text_result.h"
#include "query/operators/flame_filter.h"
#include "query/operators/interval_set.h"
#include "query/operators/numbers_by_group.h"
#include "query/scan/stoppable_sort.h"

namespace tracebraid {
namespace {

constexpr uint32_t kNone = FlameTree::kNone;
constexpr size_t kNodesPerCharge = size_t{1} << 14;  // against the limit of memory

// The nodes of a result, while they are found. A child is identified by its key.
class Nodes {
 public:
  explicit Nodes(const std::vector<Amounts>& like) {
    for (const Amounts& amounts : like) {
      self.emplace_back(amounts.is_real(), 0);
      cumulative.emplace_back(amounts.is_real(), 0);
    }
  }

  uint32_t child(uint32_t parent, uint32_t key, int32_t depth, uint32_t example) {
    // Both halves of a pivot have roots.
    auto& children = depth < 0 ? upper_ : lower_;
    const uint64_t at = uint64_t{parent} << 32 | key;
    const auto [entry, is_new] = children.try_emplace(at, static_cast<uint32_t>(list.size()));
    if (is_new) {
      list.push_back({parent, depth, example});
      keys.push_back(key);
      for (Amounts& amounts : self) amounts.add_row();
      for (Amounts& amounts : cumulative) amounts.add_row();
    }
    return entry->second;
  }

  std::vector<FlameTree::Node> list;
  std::vector<uint32_t> keys;
  std::vector<Amounts> self, cumulative;

 private:
  absl::flat_hash_map<uint64_t, uint32_t> lower_, upper_;
};

// Adds the amounts of the children to those of their parents. Requires: parents come first.
Result<> accumulate(Nodes& nodes, const StopCheck& stop) {
  PacedStopCheck check(stop);
  for (size_t i = 0; i < nodes.self.size(); ++i) {
    Amounts& sums = nodes.cumulative[i];
    for (size_t node = nodes.list.size(); node-- > 0;) {
      if (check.stopped()) return tl::unexpected(check.error());
      sums.add(node, nodes.self[i], node);
      if (const uint32_t parent = nodes.list[node].parent; parent != kNone)
        sums.add(parent, sums, node);
    }
  }
  return {};
}

// Numbers the distinct names with the values of the grouping columns.
class Keys {
 public:
  Keys(const FlameSource& source, const std::vector<size_t>& groups)
      : source_(source), groups_(groups) {}
  uint32_t of(uint32_t row) {
    const uint32_t name = source_.texts.kind(row) == Cell::Kind::Text
                              ? static_cast<uint32_t>(source_.texts.word(row))
                              : static_cast<uint32_t>(source_.texts.texts().size());
    if (groups_.empty()) return name;
    std::string key;
    add_to_key(Cell::of(int64_t{name}), key);
    for (const size_t column : groups_) add_to_key(source_.columns[column].cell(row), key);
    return numbers_.try_emplace(std::move(key), static_cast<uint32_t>(numbers_.size()))
        .first->second;
  }

 private:
  const FlameSource& source_;
  const std::vector<size_t>& groups_;
  absl::flat_hash_map<std::string, uint32_t> numbers_;
};

class Flames {
 public:
  Flames(const FlameSource& source, const FlameConfig& config, const StopCheck& stop,
         OperatorMemory& memory)
      : source_(source), config_(config), stop_(stop), paced_(stop), memory_(memory) {}

  Result<FlameTree> run() {
    if (config_.values.empty())
      return fail(ErrorCode::Sql, "flamegraph: at least one value column is required");
    TB_TRY(find_columns());
    TB_TRY_ASSIGN(FilteredFlames filtered,
                  filter_flames(source_, config_, made_.value_columns, stop_));
    made_.total = filtered.total;
    Nodes merged(filtered.self);
    TB_TRY(merge(filtered, merged));
    filtered = {};
    TB_TRY(accumulate(merged, stop_));
    if (config_.view == FlameView::TopDown) {
      for (uint32_t node = 0; node < merged.list.size(); ++node) {
        TB_TRY(check());
        note_member(node, node);
      }
      TB_TRY(finish(merged));
      return std::move(made_);
    }
    Nodes result(merged.self);
    TB_TRY(apply_view(merged, result));
    TB_TRY(memory_.take(result.list.size() * kBytesPerNode));
    TB_TRY(finish(result));
    return std::move(made_);
  }

 private:
  static constexpr size_t kBytesPerNode = 128;

  Result<> find_columns() {
    for (const std::string& name : config_.values) {
      TB_TRY_ASSIGN(const size_t column, source_.column("value column", name));
      made_.value_columns.push_back(column);
    }
    for (const std::string& name : config_.grouping) {
      TB_TRY_ASSIGN(const size_t column, source_.column("grouping column", name));
      made_.group_columns.push_back(column);
    }
    for (const FlameConfig::Aggregate& aggregate : config_.aggregates) {
      TB_TRY_ASSIGN(const size_t column, source_.column("aggregate column", aggregate.column));
      if (aggregate.kind == FlameAggregate::Sum && source_.is_numeric[column] == 0)
        return fail(ErrorCode::Sql,
                    fmt::format("flamegraph: SUM of '{}', which is not numeric", aggregate.column));
      made_.summary_columns.push_back(column);
    }
    return {};
  }

  Result<> check(size_t work = 1) {
    if (paced_.stopped(work)) return tl::unexpected(paced_.error());
    return {};
  }

  // Merges siblings of equal keys.
  Result<> merge(const FilteredFlames& filtered, Nodes& merged) {
    Keys keys(source_, made_.group_columns);
    std::vector<uint32_t> node_of;
    if (!set_size(node_of, source_.rows(), stop_, kNone)) return tl::unexpected(stop_.error());
    for (const uint32_t row : source_.order) {
      TB_TRY(check());
      if (filtered.is_shown[row] == 0) continue;
      const uint32_t above = filtered.parents[row];
      const uint32_t parent = above == kNone ? kNone : node_of[above];
      const int32_t depth = parent == kNone ? 1 : merged.list[parent].depth + 1;
      const size_t before = merged.list.size();
      const uint32_t node = node_of[row] = merged.child(parent, keys.of(row), depth, row);
      if (merged.list.size() != before && merged.list.size() % kNodesPerCharge == 0)
        TB_TRY(memory_.take(kNodesPerCharge * kBytesPerNode));
      for (size_t i = 0; i < merged.self.size(); ++i)
        merged.self[i].add(node, filtered.self[i], row);
    }
    if (!config_.aggregates.empty() && !rows_of_.fill(merged.list.size(), node_of.size(), stop_,
                                                      [&](size_t row) { return node_of[row]; }))
      return tl::unexpected(stop_.error());
    return {};
  }

  Result<> apply_view(const Nodes& merged, Nodes& result) {
    std::vector<uint8_t> matches;
    if (config_.view_pattern) {
      TB_TRY_ASSIGN(matches, matches_of(source_, *config_.view_pattern, stop_));
    }
    std::vector<uint32_t> below(merged.list.size(), kNone);  // nodes of the result
    std::vector<uint32_t> pivots;
    if (config_.view != FlameView::BottomUp) {
      for (uint32_t node = 0; node < merged.list.size(); ++node) {
        TB_TRY(check());
        const FlameTree::Node& from = merged.list[node];
        const uint32_t parent = from.parent == kNone ? kNone : below[from.parent];
        if (parent == kNone && config_.view_pattern) {
          if (!is_match(source_, matches, from.example)) continue;
          pivots.push_back(node);
        }
        const int32_t depth = parent == kNone ? 1 : result.list[parent].depth + 1;
        below[node] = result.child(parent, merged.keys[node], depth, from.example);
        note_member(below[node], node);
        for (size_t i = 0; i < result.self.size(); ++i)
          result.self[i].add(below[node], merged.self[i], node);
      }
      TB_TRY(accumulate(result, stop_));
    }
    if (config_.view == FlameView::Pivot)
      return add_callers(merged, pivots, merged.cumulative, result);
    if (config_.view != FlameView::BottomUp) return {};
    for (uint32_t node = 0; node < merged.list.size(); ++node)
      if (!merged.self[0].is_zero(node)) pivots.push_back(node);
    return add_callers(merged, pivots, merged.self, result);
  }

  // Adds the nodes with their amounts, and their callers below them, level by level. Entries with
  // equal callers join, so that a level has each at most once for each node of the result.
  Result<> add_callers(const Nodes& merged, const std::vector<uint32_t>& starts,
                       const std::vector<Amounts>& amounts, Nodes& result) {
    struct Entry {
      uint32_t parent, node;  // of the result, and of the merged tree
    };
    std::vector<Entry> level;
    std::vector<Amounts> values;
    for (const Amounts& of : amounts) values.emplace_back(of.is_real(), starts.size());
    for (const uint32_t node : starts) {
      TB_TRY(check());
      for (size_t i = 0; i < amounts.size(); ++i) values[i].add(level.size(), amounts[i], node);
      level.push_back({kNone, node});
    }
    for (int32_t depth = -1; !level.empty(); --depth) {
      std::vector<Entry> next;
      std::vector<Amounts> next_values;
      for (const Amounts& of : amounts) next_values.emplace_back(of.is_real(), 0);
      absl::flat_hash_map<uint64_t, uint32_t> positions;
      for (size_t at = 0; at < level.size(); ++at) {
        TB_TRY(check());
        const auto [parent, node] = level[at];
        const FlameTree::Node& from = merged.list[node];
        const uint32_t made = result.child(parent, merged.keys[node], depth, from.example);
        note_member(made, node);
        for (size_t i = 0; i < values.size(); ++i) {
          result.cumulative[i].add(made, values[i], at);
          if (depth == -1) result.self[i].add(made, values[i], at);
        }
        if (from.parent == kNone) continue;
        const auto [entry, is_new] = positions.try_emplace(uint64_t{made} << 32 | from.parent,
                                                           static_cast<uint32_t>(next.size()));
        if (is_new) {
          next.push_back({made, from.parent});
          for (Amounts& of : next_values) of.add_row();
        }
        for (size_t i = 0; i < values.size(); ++i) next_values[i].add(entry->second, values[i], at);
      }
      TB_TRY(memory_.take(next.size() * kBytesPerNode));
      level = std::move(next);
      values = std::move(next_values);
    }
    return {};
  }

  void note_member(uint32_t node, uint32_t merged) {
    if (!config_.aggregates.empty()) members_.push_back({node, merged});
  }

  // Sorts siblings by amount, the largest first; of equal ones the first remains the first.
  Result<> sort(std::span<uint32_t> siblings, const Amounts& primary) {
    const auto is_before = [&](uint32_t a, uint32_t b) { return primary.is_less(b, a); };
    TB_TRY(check(1 + siblings.size()));
    if (std::ranges::is_sorted(siblings, is_before)) return {};
    constexpr size_t kFew = 16;
    if (siblings.size() <= kFew) {  // without memory of its own
      for (auto at = siblings.begin() + 1; at != siblings.end(); ++at)
        std::rotate(std::upper_bound(siblings.begin(), at, *at, is_before), at, at + 1);
      return {};
    }
    if (!stable_sort(siblings, is_before, stop_)) return tl::unexpected(stop_.error());
    return {};
  }

  // Sorts siblings by amount, and the nodes by depth.
  Result<> finish(const Nodes& result) {
    const size_t count = result.list.size(), lower = count, upper = count + 1;
    NumbersByGroup children;  // by node, then the roots of both halves
    const bool is_filled = children.fill(count + 2, count, stop_, [&](size_t node) {
      const FlameTree::Node& at = result.list[node];
      if (at.parent != kNone) return at.parent;
      return static_cast<uint32_t>(at.depth > 0 ? lower : upper);
    });
    std::vector<uint32_t> order, position;
    std::vector<double> x;
    reserve_in_huge_pages(order, count);
    if (!is_filled || !set_size(position, count, stop_) || !set_size(x, count, stop_))
      return tl::unexpected(stop_.error());
    const Amounts& primary = result.cumulative[0];
    const auto place = [&](size_t parent, double begin) -> Result<> {
      const std::span<uint32_t> siblings = children.of(parent);
      TB_TRY(sort(siblings, primary));
      for (const uint32_t node : siblings) {
        x[node] = begin;
        begin += primary.as_double(node);
        position[node] = static_cast<uint32_t>(order.size());
        order.push_back(node);
      }
      return {};
    };
    for (const size_t half : {lower, upper}) {
      size_t first = order.size();
      TB_TRY(place(half, 0));
      for (; first < order.size(); ++first) TB_TRY(place(order[first], x[order[first]]));
    }
    for (const Amounts& of : result.self) {
      made_.self.emplace_back(of.is_real(), count);
      made_.cumulative.emplace_back(of.is_real(), count);
    }
    for (size_t at = 0; at < count; ++at) {
      TB_TRY(check());
      const uint32_t node = order[at];
      FlameTree::Node moved = result.list[node];
      if (moved.parent != kNone) moved.parent = position[moved.parent];
      made_.nodes.push_back(moved);
      made_.x_start.push_back(x[node]);
      for (size_t i = 0; i < result.self.size(); ++i) {
        made_.self[i].add(at, result.self[i], node);
        made_.cumulative[i].add(at, result.cumulative[i], node);
      }
    }
    return summarize(order);
  }

  Result<> summarize(const std::vector<uint32_t>& order) {
    if (config_.aggregates.empty()) return {};
    NumbersByGroup members;  // in members_, by node
    if (!members.fill(order.size(), members_.size(), stop_,
                      [&](size_t at) { return members_[at].node; }))
      return tl::unexpected(stop_.error());
    for (size_t i = 0; i < config_.aggregates.size(); ++i) {
      ValueColumn& summaries = made_.summaries.emplace_back();
      for (const uint32_t node : order) {
        std::vector<uint32_t> merged;
        for (const uint32_t at : members.of(node)) merged.push_back(members_[at].merged);
        TB_TRY(summarize(config_.aggregates[i].kind, source_.columns[made_.summary_columns[i]],
                         merged, summaries));
      }
    }
    return {};
  }

  Result<> summarize(FlameAggregate kind, const ValueColumn& column,
                     const std::vector<uint32_t>& members, ValueColumn& summaries) {
    if (kind == FlameAggregate::Sum) {
      bool is_real = false;
      double real = 0;
      uint64_t integer = 0;
      for (const uint32_t member : members)
        for (const uint32_t row : rows_of_.of(member)) {
          TB_TRY(check());
          const Cell cell = column.cell(row);
          is_real |= cell.kind == Cell::Kind::Real;
          real += cell.kind == Cell::Kind::Real ? cell.real : static_cast<double>(cell.integer);
          integer += static_cast<uint64_t>(cell.integer);
        }
      summaries.add(is_real ? Cell::of(real) : Cell::of(static_cast<int64_t>(integer)));
      return {};
    }
    std::optional<std::string> first;
    std::string joined;
    bool is_common = true;
    size_t count = 0;
    for (const uint32_t member : members)
      for (const uint32_t row : rows_of_.of(member)) {
        TB_TRY(check());
        const std::optional<std::string> text = text_of(column.cell(row));
        if (!text) continue;
        if (!first) first = text;
        is_common &= *text == *first;
        if (kind == FlameAggregate::Concat) joined += (count == 0 ? "" : ",") + *text;
        ++count;
      }
    if (!first)
      summaries.add_null();
    else if (kind == FlameAggregate::Concat)
      summaries.add(Cell::of(std::string_view(joined)));
    else if (is_common)
      summaries.add(Cell::of(std::string_view(*first)));
    else
      summaries.add(Cell::of(std::string_view(fmt::format("{} and {} others", *first, count))));
    return {};
  }

  const FlameSource& source_;
  const FlameConfig& config_;
  const StopCheck& stop_;
  PacedStopCheck paced_;
  OperatorMemory& memory_;
  FlameTree made_;
  // For summaries: rows of the source by merged node, and the merged nodes of the result's nodes.
  NumbersByGroup rows_of_;
  struct Member {
    uint32_t node, merged;
  };
  std::vector<Member> members_;
};

}  // namespace

Result<FlameTree> flame_tree(const FlameSource& source, const FlameConfig& config,
                             const StopCheck& stop, OperatorMemory& memory) {
  return Flames(source, config, stop, memory).run();
}

}  // namespace tracebraid
