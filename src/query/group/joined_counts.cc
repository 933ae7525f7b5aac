#include "query/group/joined_counts.h"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "base/pages.h"
#include "query/group/read_values.h"

namespace tracebraid {
namespace {

constexpr size_t kBlockRows = 8192;
constexpr size_t kRowsOfTask = size_t{1} << 18;
constexpr uint64_t kLeastValues = uint64_t{1} << 20;  // always worth their memory

// Calls body(first, values) for blocks of all rows, on all threads. Returns false if stopped.
template <class Body>
bool for_all_blocks(const JoinedCounts& joined, Workers& workers, const StopCheck& stop,
                    Body body) {
  const size_t rows = joined.table->rows();
  std::atomic<bool> is_done = true;
  workers.run((rows + kRowsOfTask - 1) / kRowsOfTask, [&](size_t task) {
    Values values;
    const size_t end = std::min(rows, (task + 1) * kRowsOfTask);
    for (size_t first = task * kRowsOfTask; first < end; first += kBlockRows) {
      if (stop.stopped()) {
        is_done = false;
        return;
      }
      const size_t count = std::min(kBlockRows, end - first);
      if (!read_values(*joined.column, {nullptr, static_cast<uint32_t>(first), count}, values))
        is_done = false;
      body(first, std::span<const int64_t>(values));
    }
  });
  return is_done;
}

// Sets the bounds of the values of a sorted column. Returns false if one is NULL.
bool has_bounds(const JoinedCounts& joined, std::atomic<int64_t>& least,
                std::atomic<int64_t>& greatest) {
  const Domain domain = domain_read(*joined.column);
  const size_t rows = joined.table->rows();
  if (rows == 0) return true;
  Values first, last;
  if (!read_values(*joined.column, {nullptr, 0, 1}, first) ||
      !read_values(*joined.column, {nullptr, static_cast<uint32_t>(rows - 1), 1}, last) ||
      first[0] < domain.min || last[0] > domain.max)
    return false;
  least = std::min<int64_t>(0, first[0]);
  greatest = last[0];
  return true;
}

// Returns whether all values that are not NULL are from 0 on and small, and makes room for them.
Result<bool> make_room(JoinedCounts& joined, Workers& workers, const StopCheck& stop,
                       OperatorMemory& memory) {
  const Domain domain = domain_read(*joined.column);
  std::atomic<int64_t> least = 0, greatest = -1;
  const auto lower = [](std::atomic<int64_t>& bound, int64_t value) {
    for (int64_t seen = bound; value < seen && !bound.compare_exchange_weak(seen, value);) {
    }
  };
  const auto raise = [](std::atomic<int64_t>& bound, int64_t value) {
    for (int64_t seen = bound; value > seen && !bound.compare_exchange_weak(seen, value);) {
    }
  };
  const bool is_sorted =
      joined.column->order == Order::Sorted && has_bounds(joined, least, greatest);
  const bool is_done = is_sorted || for_all_blocks(joined, workers, stop,
                                                   [&](size_t, std::span<const int64_t> values) {
                                                     int64_t low = 0, high = -1;
                                                     for (const int64_t value : values) {
                                                       if (value < domain.min || value > domain.max)
                                                         continue;
                                                       low = std::min(low, value);
                                                       high = std::max(high, value);
                                                     }
                                                     lower(least, low);
                                                     raise(greatest, high);
                                                   });
  const uint64_t most = std::max(kLeastValues, uint64_t{4} * joined.table->rows());
  if (!is_done || least < 0 || (greatest >= 0 && static_cast<uint64_t>(greatest) >= most))
    return false;
  const auto count = static_cast<size_t>(greatest + 1);
  TB_TRY(memory.take(count * sizeof(uint32_t)));
  reserve_in_huge_pages(joined.counts, count);
  joined.counts.assign(count, 0);
  return true;
}

}  // namespace

Result<bool> count_rows(JoinedCounts& joined, Workers& workers, const StopCheck& stop,
                        OperatorMemory& memory) {
  TB_TRY_ASSIGN(const bool has_room, make_room(joined, workers, stop, memory));
  if (!has_room) return false;
  std::vector<Predicate> predicates;
  const StringPool& strings = joined.table->strings();
  for (const GroupFilter& filter : joined.filters)
    if (!compile({filter.term.column, filter.term.op, filter.values}, strings, predicates))
      return true;  // no row passes
  return for_all_blocks(joined, workers, stop, [&](size_t first, std::span<const int64_t> values) {
    const auto add = [&](int64_t value, uint32_t count) {
      if (value < 0 || static_cast<uint64_t>(value) >= joined.counts.size()) return;  // NULL
      std::atomic_ref(joined.counts[static_cast<size_t>(value)])
          .fetch_add(count, std::memory_order_relaxed);
    };
    if (predicates.empty()) {
      for (size_t begin = 0, at = 0; begin < values.size(); begin = at) {
        while (at < values.size() && values[at] == values[begin]) ++at;
        add(values[begin], static_cast<uint32_t>(at - begin));
      }
      return;
    }
    std::vector<uint32_t> rows(values.size());
    std::iota(rows.begin(), rows.end(), static_cast<uint32_t>(first));
    std::span<uint32_t> kept = rows;
    for (const Predicate& predicate : predicates)
      kept = kept.first(keep_rows(predicate, strings, kept));
    for (const uint32_t row : kept) add(values[row - first], 1);
  });
}

}  // namespace tracebraid
