#include "query/scan/row_order.h"

#include <algorithm>
#include <array>
#include <bit>

#include "query/scan/column_values.h"
#include "query/scan/large_vector.h"
#include "query/scan/stoppable_sort.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

constexpr uint64_t kSign = uint64_t{1} << 63;
constexpr size_t kFewRows = 1024;  // with fewer rows, comparing is faster than a radix sort

uint64_t ordered_bits(int64_t value) { return static_cast<uint64_t>(value) ^ kSign; }

// Maps doubles to ordered integers, NULL (NaN) first; -0.0 and 0.0 are equal.
uint64_t ordered_bits(double value) {
  if (value != value) return 0;
  const uint64_t bits = std::bit_cast<uint64_t>(value == 0 ? 0.0 : value);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

// The rank of each string among those that occur in `rows`, from 1, by bytes. Looked up by the id
// of the string.
class StringRanks {
 public:
  // `ids[row]` is the string of the row, as visit_integers() returns it.
  template <class Ids>
  StringRanks(std::span<const uint32_t> rows, Ids ids, const StringPool& strings,
              const StopCheck& stop) {
    is_done_ = collect(rows, ids, strings, stop) && rank(strings, stop);
  }
  // Returns false if stopped: then there are no ranks.
  bool is_done() const { return is_done_; }

  uint64_t operator[](StringId id) const {
    if (!id) return 0;
    if (!dense_.empty()) return dense_[id.row];
    return ranks_[static_cast<size_t>(std::lower_bound(ids_.begin(), ids_.end(), id.row) -
                                      ids_.begin())];
  }

 private:
  template <class Ids>
  bool collect(std::span<const uint32_t> rows, Ids ids, const StringPool& strings,
               const StopCheck& stop) {
    const bool is_dense = rows.size() >= strings.size() / 8;
    if (is_dense && !set_size(dense_, strings.size(), stop)) return false;
    const bool done = for_each_block(rows.size(), stop, [&](size_t begin, size_t end) {
      for (const uint32_t row : rows.subspan(begin, end - begin)) {
        const auto id = static_cast<uint32_t>(ids[row]);
        if (id >= strings.size() || (is_dense && dense_[id] != 0)) continue;
        if (is_dense) dense_[id] = 1;
        ids_.push_back(id);
      }
    });
    if (!done || is_dense) return done;
    if (!stable_sort(ids_, std::less<>(), stop)) return false;
    ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
    return true;
  }
  bool rank(const StringPool& strings, const StopCheck& stop) {
    std::vector<uint32_t> by_text;
    if (!set_size(by_text, ids_.size(), stop)) return false;
    PacedStopCheck check(stop);
    for (uint32_t i = 0; i < by_text.size(); ++i) {
      if (check.stopped()) return false;
      by_text[i] = i;
    }
    const auto less = [&](uint32_t a, uint32_t b) {
      return strings.get({ids_[a]}) < strings.get({ids_[b]});
    };
    if (!stable_sort(by_text, less, stop)) return false;
    if (dense_.empty() && !set_size(ranks_, ids_.size(), stop)) return false;
    for (uint32_t place = 0; place < by_text.size(); ++place) {
      if (check.stopped()) return false;
      if (dense_.empty())
        ranks_[by_text[place]] = place + 1;
      else
        dense_[ids_[by_text[place]]] = place + 1;
    }
    return true;
  }

  bool is_done_ = false;
  // Ranks by id. Empty for few rows, for which ids_ and ranks_ are used.
  std::vector<uint32_t> dense_;
  std::vector<uint32_t> ids_;    // sorted ids
  std::vector<uint32_t> ranks_;  // ranks of ids_
};

template <class KeyOf>
bool set_keys(std::vector<KeyedRow>& rows, bool descending, KeyOf key_of, const StopCheck& stop) {
  const uint64_t flip = descending ? ~uint64_t{0} : 0;
  return for_each_block(rows.size(), stop, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) rows[i].key = key_of(rows[i].row) ^ flip;
  });
}

bool sort_by_cells(std::vector<uint32_t>& rows, const SortKey& key, const StringPool& strings,
                   const StopCheck& stop) {
  std::vector<std::pair<Cell, uint32_t>> cells;
  reserve_in_huge_pages(cells, rows.size());
  const bool read = for_each_block(rows.size(), stop, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      cells.emplace_back(cell(*key.column, rows[i], strings), rows[i]);
  });
  const auto less = [&](const auto& a, const auto& b) {
    const auto order = compare(a.first, b.first);
    return key.descending ? order > 0 : order < 0;
  };
  return read && stable_sort(cells, less, stop) &&
         for_each_block(rows.size(), stop, [&](size_t begin, size_t end) {
           for (size_t i = begin; i < end; ++i) rows[i] = cells[i].second;
         });
}

// Calls body(key_of), where key_of(row) increases in the order of has_own_order().
template <class Body>
void visit_keys(const ColumnView& column, Body&& body) {
  if (column.type == CellType::Double) {
    const auto* values = static_cast<const double*>(column.data);
    body([&](size_t row) { return ordered_bits(values[row]); });
  } else if (column.type == CellType::OptRow) {
    // NULL is one more than the largest row number: wraps to 0.
    visit_integers(column, [&](auto values) {
      body([&](size_t row) { return uint64_t{static_cast<uint32_t>(values[row] + 1)}; });
    });
  } else {
    visit_integers(
        column, [&](auto values) { body([&](size_t row) { return ordered_bits(values[row]); }); });
  }
}

bool sort_by_one(std::vector<uint32_t>& rows, const SortKey& key, const StringPool& strings,
                 const StopCheck& stop) {
  const ColumnView& column = *key.column;
  if (column.type == CellType::Computed) return sort_by_cells(rows, key, strings, stop);
  std::vector<KeyedRow> keyed;
  reserve_in_huge_pages(keyed, rows.size());
  bool done = for_each_block(rows.size(), stop, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) keyed.push_back({0, rows[i]});
  });
  if (!done) return false;
  if (column.type == CellType::String) {
    visit_integers(column, [&](auto ids) {
      const StringRanks ranks(rows, ids, strings, stop);
      const auto rank_of = [&](size_t row) {
        return ranks[StringId{static_cast<uint32_t>(ids[row])}];
      };
      done = ranks.is_done() && set_keys(keyed, key.descending, rank_of, stop);
    });
  } else {
    visit_keys(column, [&](auto key_of) { done = set_keys(keyed, key.descending, key_of, stop); });
  }
  return done && sort_by_key(keyed, stop) &&
         for_each_block(rows.size(), stop, [&](size_t begin, size_t end) {
           for (size_t i = begin; i < end; ++i) rows[i] = keyed[i].row;
         });
}

}  // namespace

bool sort_by_key(std::vector<KeyedRow>& rows, const StopCheck& stop) {
  const auto less = [](const KeyedRow& a, const KeyedRow& b) { return a.key < b.key; };
  if (rows.size() < kFewRows) {
    std::ranges::stable_sort(rows, less);
    return true;
  }
  // Keys often lie in a small range and then have few digits.
  uint64_t base = rows.front().key, most = base;
  bool is_sorted = true;
  const bool compared = for_each_block(rows.size(), stop, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      is_sorted &= i == 0 || rows[i - 1].key <= rows[i].key;
      base = std::min(base, rows[i].key);
      most = std::max(most, rows[i].key);
    }
  });
  if (!compared) return false;
  if (is_sorted) return true;
  const auto bits = static_cast<int>(std::bit_width(most - base));
  constexpr int kDigitBits = 11;
  constexpr uint64_t kDigits = uint64_t{1} << kDigitBits;
  std::vector<KeyedRow> sorted;
  if (!set_size(sorted, rows.size(), stop)) return false;
  for (int shift = 0; shift < bits; shift += kDigitBits) {
    const auto digit = [shift, base](const KeyedRow& row) {
      return ((row.key - base) >> shift) & (kDigits - 1);
    };
    std::array<size_t, kDigits> starts{};
    const bool counted = for_each_block(rows.size(), stop, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) ++starts[digit(rows[i])];
    });
    if (!counted) return false;
    if (starts[digit(rows.front())] == rows.size()) continue;  // all digits are equal
    size_t start = 0;
    for (size_t& count : starts) start += std::exchange(count, start);
    const bool moved = for_each_block(rows.size(), stop, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) sorted[starts[digit(rows[i])]++] = rows[i];
    });
    if (!moved) return false;
    rows.swap(sorted);
  }
  return true;
}

bool has_own_order(const ColumnView& column) {
  return column.type != CellType::String && column.type != CellType::Computed;
}

void FirstRows::add(std::span<const uint32_t> rows) {
  if (most_ == 0) return;
  const uint64_t flip = key_.descending ? ~uint64_t{0} : 0;
  visit_keys(*key_.column, [&](auto key_of) {
    for (const uint32_t row : rows) {
      const KeyedRow next{key_of(row) ^ flip, row};
      if (kept_.size() == most_) {
        if (next.key >= kept_.front().key) continue;  // of equal keys, earlier rows stay
        std::pop_heap(kept_.begin(), kept_.end());
        kept_.pop_back();
      }
      kept_.push_back(next);
      std::push_heap(kept_.begin(), kept_.end());
    }
  });
}

std::vector<uint32_t> FirstRows::take() {
  std::ranges::sort(kept_);
  std::vector<uint32_t> rows;
  rows.reserve(kept_.size());
  for (const KeyedRow& kept : kept_) rows.push_back(kept.row);
  return rows;
}

bool sort_rows(std::vector<uint32_t>& rows, std::span<const SortKey> keys,
               const StringPool& strings, const StopCheck& stop) {
  // Sorts from the last key to the first: each sort keeps the order of the ones before.
  for (size_t i = keys.size(); i-- > 0;)
    if (!sort_by_one(rows, keys[i], strings, stop)) return false;
  return true;
}

}  // namespace tracebraid
