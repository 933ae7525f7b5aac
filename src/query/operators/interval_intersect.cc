#include "query/operators/interval_intersect.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "base/pages.h"
#include "base/workers.h"
#include "query/operators/operator_function.h"
#include "query/operators/task_stop.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

constexpr size_t kWorkPerCheck = size_t{1} << 16;
constexpr size_t kFirstId = 2;  // column of the first id

struct Active {
  int64_t ts, end;
  uint32_t position;
};

// Collects tuples in parts.
class TupleList {
 public:
  TupleList(TupleParts& parts, OperatorMemory& memory) : parts_(parts), memory_(memory) {}

  // The tuples since the last check(), and some before them.
  std::vector<uint32_t>& last() { return last_; }
  // Expects tuples of so many positions.
  void expect(size_t positions) {
    reserve_in_huge_pages(last_, std::min(positions, kPart + kPart / 4));
  }
  // Counts the tuples that were added. Returns false if these are too many.
  bool check() {
    const size_t added = last_.size() - counted_;
    counted_ = last_.size();
    if (counted_ >= kPart) {
      finish();
      expect(kPart + kPart / 4);
    }
    return memory_.take(added * sizeof(uint32_t)).has_value();
  }
  void finish() {
    if (!last_.empty()) parts_.push_back(std::exchange(last_, {}));
    counted_ = 0;
  }

 private:
  static constexpr size_t kPart = size_t{1} << 21;
  TupleParts& parts_;
  OperatorMemory& memory_;
  std::vector<uint32_t> last_;
  size_t counted_ = 0;  // of `last_`
};

// Drops the intervals that ended before `ts`. Returns how many intervals it compared.
size_t prune(std::vector<Active>& active, int64_t ts) {
  const size_t compared = active.size();
  std::erase_if(active, [&](const Active& one) { return one.end <= ts && one.ts != ts; });
  return compared;
}

// Intersects any number of sets.
class Intersection {
 public:
  Intersection(std::span<const PositionedSpans> sets, const StopCheck& stop, TupleList& tuples)
      : sets_(sets),
        stop_(stop),
        tuples_(tuples),
        at_(sets.size()),
        active_(sets.size()),
        tuple_(sets.size()) {}

  // Returns false if stopped, or at the limit of memory.
  bool run() {
    for (;;) {
      // The next interval by start.
      size_t next = sets_.size();
      for (size_t i = 0; i < sets_.size(); ++i)
        if (at_[i] < sets_[i].spans.size() &&
            (next == sets_.size() || sets_[i].spans[at_[i]].ts < sets_[next].spans[at_[next]].ts))
          next = i;
      if (next == sets_.size()) return true;
      if (!check(1) || !start(next)) return false;
    }
  }

 private:
  bool check(size_t work) {
    work_ += work;
    if (work_ < kWorkPerCheck) return true;
    work_ = 0;
    return !stop_.stopped() && tuples_.check();
  }

  bool start(size_t set) {
    const auto position = sets_[set].first + static_cast<uint32_t>(at_[set]);
    const Span& span = sets_[set].spans[at_[set]++];
    bool meets = true;
    for (size_t i = 0; meets && i < sets_.size(); ++i) {
      if (i == set) continue;
      if (!check(prune(active_[i], span.ts))) return false;
      meets = !active_[i].empty();
    }
    tuple_[set] = position;
    if (meets && !add_tuples(0, set)) return false;
    active_[set].push_back({span.ts, span.end(), position});
    return true;
  }

  // Appends tuple_ with each choice of active intervals of the sets from `at` on.
  bool add_tuples(size_t at, size_t fixed) {
    if (at == sets_.size()) {
      std::vector<uint32_t>& tuples = tuples_.last();
      tuples.insert(tuples.end(), tuple_.begin(), tuple_.end());
      return check(tuple_.size());
    }
    if (at == fixed) return add_tuples(at + 1, fixed);
    for (const Active& active : active_[at]) {
      tuple_[at] = active.position;
      if (!add_tuples(at + 1, fixed)) return false;
    }
    return true;
  }

  std::span<const PositionedSpans> sets_;
  const StopCheck& stop_;
  TupleList& tuples_;
  size_t work_ = 0;  // since the last check
  std::vector<size_t> at_;
  std::vector<std::vector<Active>> active_;
  std::vector<uint32_t> tuple_;
};

// Intersects two sets, in the order of Intersection.
class PairIntersection {
 public:
  PairIntersection(const PositionedSpans& first, const PositionedSpans& second, TupleList& tuples)
      : first_(first), second_(second), tuples_(tuples) {}

  bool run(const StopCheck& stop) {
    const std::span<const Span> first = first_.spans, second = second_.spans;
    // Usually as many tuples as intervals of both.
    tuples_.expect(2 * (first.size() + second.size()));
    size_t at_first = 0, at_second = 0;
    while (at_first < first.size() || at_second < second.size()) {
      // A tuple for each start at least, and the check is as rare.
      const size_t starts = at_first + at_second;
      const size_t most = tuples_.last().size() + 2 * kWorkPerCheck;
      while (at_first + at_second - starts < kWorkPerCheck && tuples_.last().size() < most &&
             (at_first < first.size() || at_second < second.size())) {
        const bool takes_first =
            at_second == second.size() ||
            (at_first < first.size() && first[at_first].ts <= second[at_second].ts);
        if (takes_first)
          start<true>(at_first++);
        else
          start<false>(at_second++);
      }
      if (stop.stopped() || !tuples_.check()) return false;
    }
    return true;
  }

 private:
  template <bool kIsFirst>
  void start(size_t position) {
    const PositionedSpans& set = kIsFirst ? first_ : second_;
    const Span& span = set.spans[position];
    std::vector<Active>& others = kIsFirst ? active_second_ : active_first_;
    // The interval in front of all that are active is the usual case.
    if (!others.empty()) prune(others, span.ts);
    const auto number = set.first + static_cast<uint32_t>(position);
    std::vector<uint32_t>& tuples = tuples_.last();
    for (const Active& other : others) {
      tuples.push_back(kIsFirst ? number : other.position);
      tuples.push_back(kIsFirst ? other.position : number);
    }
    std::vector<Active>& own = kIsFirst ? active_first_ : active_second_;
    own.push_back({span.ts, span.end(), number});
    // Intervals without a counterpart are not pruned otherwise.
    size_t& most = kIsFirst ? most_first_ : most_second_;
    if (own.size() <= most) return;
    prune(own, span.ts);
    most = std::max(kLeastPruned, 2 * own.size());
  }

  static constexpr size_t kLeastPruned = 64;
  const PositionedSpans &first_, &second_;
  TupleList& tuples_;
  std::vector<Active> active_first_, active_second_;
  size_t most_first_ = kLeastPruned, most_second_ = kLeastPruned;  // active before they are pruned
};

// __intrinsic_interval_tree_intervals_agg(id, ts, dur[, name, value]...)
class IntervalsAggregate {
 public:
  explicit IntervalsAggregate(const OperatorContext& context) : context_(context) {}

  Result<> add(Arguments arguments) {
    constexpr size_t kFixed = 3;
    if (!builder_) {
      if (arguments.size() < kFixed || (arguments.size() - kFixed) % 2 != 0)
        return fail(ErrorCode::Sql,
                    "interval intersect: arguments are id, ts, dur, and names with values");
      std::vector<std::string> names;
      for (size_t i = kFixed; i < arguments.size(); i += 2)
        names.emplace_back(cell_of(arguments[i]).text);
      if (names.size() > kMostPartitions)
        return fail(ErrorCode::Sql, "interval intersect: Can take at most 4 partitions.");
      values_.resize(names.size());
      builder_.emplace(std::move(names), context_.memory);
    }
    for (size_t i = 0; i < values_.size(); ++i) values_[i] = cell_of(arguments[kFixed + 1 + 2 * i]);
    return builder_->add(sqlite3_value_int64(arguments[0]), sqlite3_value_int64(arguments[1]),
                         sqlite3_value_int64(arguments[2]), values_);
  }
  Result<> finish(sqlite3_context* context) {
    if (!builder_) return {};
    TB_TRY_ASSIGN(std::unique_ptr<IntervalSet> set, builder_->finish(*context_.stop));
    set_pointer(context, std::shared_ptr<const IntervalSet>(std::move(set)));
    return {};
  }

 private:
  const OperatorContext& context_;
  std::optional<IntervalSetBuilder> builder_;
  std::vector<Cell> values_;
};

// __intrinsic_interval_intersect(set..., '(partition, ...)')
Result<> interval_intersect(sqlite3_context* context, OperatorContext& operators,
                            Arguments arguments) {
  const size_t count = arguments.size() - std::min<size_t>(1, arguments.size());
  if (count == 0) return fail(ErrorCode::Sql, "interval intersect: no tables");
  if (count > kMostIntersected)
    return fail(ErrorCode::Sql, "interval intersect: Can intersect at most 15 tables");
  const Cell list = cell_of(arguments.back());
  if (list.kind != Cell::Kind::Text)
    return fail(ErrorCode::Sql, "interval intersect: column list cannot be null");
  std::vector<std::string> partitions = names_of_list(list.text);
  if (partitions.size() > kMostPartitions)
    return fail(ErrorCode::Sql, "interval intersect: Can take at most 4 partitions.");
  std::vector<std::shared_ptr<const IntervalSet>> sets;
  bool has_empty = false;
  for (sqlite3_value* const value : arguments.first(count)) {
    sets.push_back(pointer_of<IntervalSet>(value));
    has_empty |= sets.back() == nullptr;  // an aggregate without rows is NULL
    if (!has_empty && sets.back()->names.size() != partitions.size())
      return fail(ErrorCode::Sql, "interval intersect: a table has other partition columns");
  }
  if (has_empty) sets.assign(count, std::make_shared<const IntervalSet>(nullptr));
  TB_TRY_ASSIGN(std::unique_ptr<IntersectedIntervals> table,
                IntersectedIntervals::of(std::move(sets), std::move(partitions), operators));
  set_pointer(context, std::shared_ptr<const ResultTable>(std::move(table)));
  return {};
}

}  // namespace

std::vector<std::string> names_of_list(std::string_view list) {
  constexpr std::string_view kBlank = " \t\n\r";
  const auto trim = [&](std::string_view text) {
    const size_t begin = text.find_first_not_of(kBlank);
    if (begin == std::string_view::npos) return std::string_view();
    return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
  };
  list = trim(list);
  if (list.starts_with('(') && list.ends_with(')')) list = list.substr(1, list.size() - 2);
  std::vector<std::string> names;
  while (!trim(list).empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    names.emplace_back(trim(list.substr(0, comma)));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return names;
}

bool intersect(std::span<const PositionedSpans> sets, const StopCheck& stop, OperatorMemory& memory,
               TupleParts& tuples) {
  TupleList list(tuples, memory);
  const bool ended = sets.size() == 2 ? PairIntersection(sets[0], sets[1], list).run(stop)
                                      : Intersection(sets, stop, list).run();
  list.finish();
  return ended;
}

Result<std::unique_ptr<IntersectedIntervals>> IntersectedIntervals::of(
    std::vector<std::shared_ptr<const IntervalSet>> sets, std::vector<std::string> partitions,
    const OperatorContext& context) {
  std::vector<std::string> names = {"ts", "dur"};
  for (size_t i = 0; i < kMostIntersected; ++i) names.push_back(fmt::format("id_{}", i));
  std::ranges::move(partitions, std::back_inserter(names));
  std::unique_ptr<IntersectedIntervals> table(
      new IntersectedIntervals(std::move(names), std::move(sets), context.memory));
  TB_TRY(table->compute(context));
  return table;
}

Result<> IntersectedIntervals::compute(const OperatorContext& context) {
  // Partitions in the order of the set with the fewest rows, like the reference.
  const auto fewest =
      std::ranges::min_element(sets_, {}, [](const auto& set) { return set->spans.size(); });
  std::vector<const std::string*> keys;
  std::vector<std::vector<size_t>> partitions;  // of each key, by set
  std::vector<absl::flat_hash_map<std::string_view, size_t>> numbers(sets_.size());
  PacedStopCheck check(*context.stop);
  for (size_t i = 0; i < sets_.size(); ++i)
    for (size_t k = 0; k < sets_[i]->keys.size(); ++k) {
      if (check.stopped()) return tl::unexpected(check.error());
      numbers[i].emplace(sets_[i]->keys[k], k);
    }
  for (const std::string& key : (*fewest)->keys) {
    if (check.stopped(sets_.size())) return tl::unexpected(check.error());
    std::vector<size_t> found;
    for (const auto& of_set : numbers)
      if (const auto at = of_set.find(key); at != of_set.end()) found.push_back(at->second);
    if (found.size() != sets_.size()) continue;
    keys.push_back(&key);
    partitions.push_back(std::move(found));
  }
  std::vector<uint8_t> ended(keys.size());
  std::vector<TupleParts> tuples(keys.size());
  Workers workers(keys.size() > 1 ? context.threads : 1);
  workers.run(keys.size(), [&](size_t at) {
    if (is_stopped_before(at, *context.stop)) return;
    std::vector<PositionedSpans> spans;
    for (size_t i = 0; i < sets_.size(); ++i) {
      const size_t partition = partitions[at][i];
      spans.push_back(
          {sets_[i]->of(partition), static_cast<uint32_t>(sets_[i]->starts[partition])});
    }
    ended[at] = intersect(spans, *context.stop, memory_, tuples[at]) ? 1 : 0;
  });
  if (context.stop->stopped()) return tl::unexpected(context.stop->error());
  TB_TRY(memory_.take(0));
  if (std::ranges::find(ended, 0) != ended.end())
    return fail(ErrorCode::Limit, "the query takes more than its limit of memory");
  for (size_t i = 0; i < keys.size(); ++i)
    for (std::vector<uint32_t>& part : tuples[i]) {
      const size_t rows = part.size() / sets_.size();
      chunks_.push_back({keys[i], std::move(part), rows_});
      rows_ += rows;
    }
  return {};
}

std::optional<Cell::Kind> IntersectedIntervals::kind_of_partition(size_t index) const {
  Cell::Kind kind = Cell::Kind::Null;
  for (const Chunk& chunk : chunks_) {
    const Cell::Kind of_chunk = value_of_key(*chunk.key, index).kind;
    if (of_chunk == Cell::Kind::Null) continue;
    if (kind != Cell::Kind::Null && kind != of_chunk) return std::nullopt;
    kind = of_chunk;
  }
  return kind;
}

size_t IntersectedIntervals::chunk_of(size_t row) const {
  const size_t last = chunk_.load(std::memory_order_relaxed);
  const Chunk& chunk = chunks_[last];
  if (chunk.first <= row && row < chunk.first + chunk.tuples.size() / sets_.size()) return last;
  const auto behind = std::ranges::upper_bound(chunks_, row, {}, &Chunk::first);
  const auto found = static_cast<size_t>(behind - chunks_.begin()) - 1;
  chunk_.store(found, std::memory_order_relaxed);
  return found;
}

void IntersectedIntervals::read(size_t column, size_t first, std::span<int64_t> values,
                                std::span<bool> valid) const {
  for (size_t done = 0; done < values.size();) {
    const Chunk& chunk = chunks_[chunk_of(first + done)];
    const size_t row = first + done - chunk.first;
    const size_t count = std::min(values.size() - done, chunk.tuples.size() / sets_.size() - row);
    read_chunk(chunk, column, row, values.subspan(done, count), valid.subspan(done, count));
    done += count;
  }
}

void IntersectedIntervals::read_chunk(const Chunk& chunk, size_t column, size_t first,
                                      std::span<int64_t> values, std::span<bool> valid) const {
  const uint32_t* const tuples = chunk.tuples.data() + first * sets_.size();
  if (column >= kFirstId + kMostIntersected) {
    const Cell value = value_of_key(*chunk.key, column - kFirstId - kMostIntersected);
    std::ranges::fill(values, value.integer);
    std::ranges::fill(valid, value.kind == Cell::Kind::Int);
    return;
  }
  std::ranges::fill(valid, true);
  const size_t step = sets_.size();
  if (column >= kFirstId) {
    const size_t set = column - kFirstId;
    if (set >= step) {
      std::ranges::fill(valid, false);
      return;
    }
    const std::span<const Span> spans = sets_[set]->spans;
    std::vector<uint32_t> rows(values.size());
    for (size_t i = 0; i < values.size(); ++i) rows[i] = spans[tuples[i * step + set]].row;
    return sets_[set]->read_ids(rows, values);
  }
  for (size_t i = 0; i < values.size(); ++i) {
    int64_t ts = std::numeric_limits<int64_t>::min(), end = std::numeric_limits<int64_t>::max();
    for (size_t set = 0; set < step; ++set) {
      const Span& span = sets_[set]->spans[tuples[i * step + set]];
      ts = std::max(ts, span.ts);
      end = std::min(end, span.end());
    }
    values[i] = column == 0 ? ts : end - ts;
  }
}

Cell IntersectedIntervals::cell(size_t row, size_t column) const {
  const Chunk& chunk = chunks_[chunk_of(row)];
  const uint32_t* const tuple = chunk.tuples.data() + (row - chunk.first) * sets_.size();
  if (column >= kFirstId + kMostIntersected)
    return value_of_key(*chunk.key, column - kFirstId - kMostIntersected);
  if (column >= kFirstId) {
    const size_t set = column - kFirstId;
    if (set >= sets_.size()) return Cell::null();
    return Cell::of(sets_[set]->id(sets_[set]->spans[tuple[set]].row));
  }
  int64_t ts = std::numeric_limits<int64_t>::min(), end = std::numeric_limits<int64_t>::max();
  for (size_t i = 0; i < sets_.size(); ++i) {
    const Span& span = sets_[i]->spans[tuple[i]];
    ts = std::max(ts, span.ts);
    end = std::min(end, span.end());
  }
  return Cell::of(column == 0 ? ts : end - ts);
}

Result<> add_interval_intersect(OperatorContext& context) {
  TB_TRY(add_operator_aggregate<IntervalsAggregate>(context,
                                                    "__intrinsic_interval_tree_intervals_agg", -1));
  return add_operator_function<interval_intersect>(context, "__intrinsic_interval_intersect", -1);
}

}  // namespace tracebraid
