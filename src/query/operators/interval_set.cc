#include "query/operators/interval_set.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "query/scan/large_vector.h"
#include "query/scan/stop_check.h"
#include "query/scan/stoppable_sort.h"

namespace tracebraid {
namespace {

constexpr size_t kBlockRows = kGatheredBlockRows;

template <class T>
void append_bytes(T value, std::string& key) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}
template <class T>
T bytes_at(std::string_view key, size_t at) {
  T value{};
  std::memcpy(&value, key.data() + at, sizeof value);
  return value;
}

constexpr size_t kFixed = 3;  // columns in front of the partition columns

Error negative_duration() {
  return {ErrorCode::Sql, "Interval intersect only works on intervals with non negative duration."};
}

bool is_before(const Span& a, const Span& b) { return a.ts < b.ts; }

// Counts the intervals of each partition. Returns where the first one of each goes.
Result<std::vector<size_t>> begin_partitions(IntervalSet& set, std::span<const uint32_t> numbers,
                                             size_t rows, const StopCheck& stop) {
  set.starts.assign(set.keys.size() + 1, 0);
  const bool ended = for_each_block(numbers.size(), stop, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) ++set.starts[numbers[i] + 1];
  });
  if (!ended) return tl::unexpected(stop.error());
  if (numbers.empty()) set.starts.back() = rows;
  for (size_t i = 1; i < set.starts.size(); ++i) set.starts[i] += set.starts[i - 1];
  if (!set.spans.allocate(rows, stop)) return tl::unexpected(stop.error());
  return std::vector<size_t>(set.starts.begin(), set.starts.end() - 1);
}

}  // namespace

void add_to_key(const Cell& value, std::string& key) {
  key += static_cast<char>(value.kind);
  switch (value.kind) {
    case Cell::Kind::Null:
      return;
    case Cell::Kind::Int:
      return append_bytes(value.integer, key);
    case Cell::Kind::Real:
      return append_bytes(value.real == 0 ? 0.0 : value.real, key);
    case Cell::Kind::Text:
    case Cell::Kind::Blob:
      append_bytes(static_cast<uint64_t>(value.text.size()), key);
      key += value.text;
  }
}

Cell value_of_key(std::string_view key, size_t index) {
  constexpr size_t kWord = sizeof(uint64_t);
  for (size_t at = 0;; --index) {
    const auto kind = static_cast<Cell::Kind>(key[at++]);
    Cell value{kind, 0, 0, {}};
    size_t size = kind == Cell::Kind::Null ? 0 : kWord;
    if (kind == Cell::Kind::Int) value.integer = bytes_at<int64_t>(key, at);
    if (kind == Cell::Kind::Real) value.real = bytes_at<double>(key, at);
    if (kind == Cell::Kind::Text || kind == Cell::Kind::Blob) {
      const auto length = static_cast<size_t>(bytes_at<uint64_t>(key, at));
      value.text = key.substr(at + kWord, length);
      size += length;
    }
    if (index == 0) return value;
    at += size;
  }
}

void IntervalSet::read_ids(std::span<const uint32_t> rows, std::span<int64_t> values) const {
  if (!stored_ids) {
    for (size_t i = 0; i < rows.size(); ++i) values[i] = ids[rows[i]];
    return;
  }
  constexpr size_t kMost = 1024;
  std::array<bool, kMost> valid{};
  for (size_t first = 0; first < rows.size(); first += kMost) {
    const size_t count = std::min(kMost, rows.size() - first);
    const std::span part = values.subspan(first, count);
    stored_ids->read_rows(rows.subspan(first, count), part, valid);
    for (size_t i = 0; i < count; ++i)
      if (!valid[i]) part[i] = 0;  // as CAST converts NULL
  }
}

uint32_t IntervalSetBuilder::number_of(std::span<const Cell> partition) {
  std::string key;
  for (const Cell& value : partition) add_to_key(value, key);
  if (has_last_ && key == key_) return last_number_;
  const auto [entry, is_new] =
      numbers_of_keys_.try_emplace(key, static_cast<uint32_t>(set_->keys.size()));
  if (is_new) set_->keys.push_back(key);
  key_ = std::move(key);
  has_last_ = true;
  return last_number_ = entry->second;
}

Result<> IntervalSetBuilder::push(int64_t id, int64_t ts, int64_t dur, uint32_t number) {
  if (dur < 0) return tl::unexpected(negative_duration());
  if (spans_.size() % kBlockRows == 0) TB_TRY(begin_block(kBlockRows));
  if (number != 0 && numbers_.empty()) numbers_.assign(spans_.size(), 0);
  if (number != 0 || !numbers_.empty()) numbers_.push_back(number);
  spans_.push_back({ts, dur, static_cast<uint32_t>(spans_.size())});
  set_->ids.push_back(id);
  return {};
}

Result<> IntervalSetBuilder::add(int64_t id, int64_t ts, int64_t dur,
                                 std::span<const Cell> partition) {
  return push(id, ts, dur, number_of(partition));
}

Result<> IntervalSetBuilder::begin_block(size_t rows) {
  if (spans_.size() + rows >= SpanPair::kNone)
    return fail(ErrorCode::Limit, "an operator takes at most 2^32 rows");
  return set_->memory.take(rows * (2 * sizeof(Span) + sizeof(int64_t) + sizeof(uint32_t)));
}

// Returns the number of the partition of an integer, for a single partition column.
uint32_t IntervalSetBuilder::number_of(int64_t value) {
  constexpr int64_t kMostDense = 1 << 16;
  const bool is_dense = value >= 0 && value < kMostDense;
  if (is_dense) {
    const auto at = static_cast<size_t>(value);
    if (at >= numbers_of_small_.size())
      numbers_of_small_.resize(std::max(at + 1, 2 * numbers_of_small_.size()), SpanPair::kNone);
    if (numbers_of_small_[at] != SpanPair::kNone) return numbers_of_small_[at];
  } else if (const auto found = numbers_of_large_.find(value); found != numbers_of_large_.end()) {
    return found->second;
  }
  const Cell cell = Cell::of(value);
  const uint32_t number = number_of(std::span(&cell, 1));
  if (is_dense)
    numbers_of_small_[static_cast<size_t>(value)] = number;
  else
    numbers_of_large_.emplace(value, number);
  return number;
}

void IntervalSetBuilder::read_numbers(const GatheredRows& rows, size_t first,
                                      std::span<uint32_t> numbers) {
  std::vector<Cell> values(rows.columns.size() - kFixed);
  std::array<int64_t, kBlockRows> integers{};
  const size_t count = values.size() == 1 ? rows.columns[kFixed].read_integers(
                                                first, std::span(integers).first(numbers.size()))
                                          : 0;
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i < count) {
      numbers[i] = number_of(integers[i]);
      continue;
    }
    for (size_t column = 0; column < values.size(); ++column)
      values[column] = rows.columns[kFixed + column].cell(first + i);
    numbers[i] = number_of(values);
  }
}

Result<> IntervalSetBuilder::add(const GatheredRows& rows, const StopCheck& stop) {
  if (rows.rows >= SpanPair::kNone)
    return fail(ErrorCode::Limit, "an operator takes at most 2^32 rows");
  rows_ = &rows;
  if (rows.columns.size() == kFixed) {
    if (rows.rows != 0) number_of(std::span<const Cell>());
    return {};
  }
  TB_TRY(set_->memory.take(rows.rows * sizeof(uint32_t)));
  if (!set_size(numbers_, rows.rows, stop)) return tl::unexpected(stop.error());
  return for_each_gathered_block(rows.rows, stop, [&](size_t first, size_t count) -> Result<> {
    read_numbers(rows, first, std::span(numbers_).subspan(first, count));
    return {};
  });
}

Result<> IntervalSetBuilder::place_added(const StopCheck& stop) {
  TB_TRY_ASSIGN(std::vector<size_t> next, begin_partitions(*set_, numbers_, spans_.size(), stop));
  const bool ended = for_each_block(spans_.size(), stop, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      set_->spans[next[numbers_.empty() ? 0 : numbers_[i]]++] = spans_[i];
  });
  if (!ended) return tl::unexpected(stop.error());
  spans_ = {};
  return {};
}

Result<> IntervalSetBuilder::place_gathered(const StopCheck& stop) {
  const GatheredColumn& ids = rows_->columns[0];
  const bool keeps_ids = ids.is_stored() && ids.type() == SqlType::Integer;
  TB_TRY(set_->memory.take(rows_->rows * (sizeof(Span) + (keeps_ids ? 0 : sizeof(int64_t)))));
  if (keeps_ids)
    set_->stored_ids = ids.share();
  else if (!set_size(set_->ids, rows_->rows, stop))
    return tl::unexpected(stop.error());
  TB_TRY_ASSIGN(std::vector<size_t> next, begin_partitions(*set_, numbers_, rows_->rows, stop));
  std::array<int64_t, kBlockRows> ts{}, dur{};
  return for_each_gathered_block(rows_->rows, stop, [&](size_t first, size_t count) -> Result<> {
    if (!keeps_ids) ids.read_as_integers(first, std::span(set_->ids).subspan(first, count));
    rows_->columns[1].read_as_integers(first, std::span(ts).first(count));
    rows_->columns[2].read_as_integers(first, std::span(dur).first(count));
    bool has_negative = false;
    for (size_t i = 0; i < count; ++i) {
      has_negative |= dur[i] < 0;
      set_->spans[next[numbers_.empty() ? 0 : numbers_[first + i]]++] = {
          ts[i], dur[i], static_cast<uint32_t>(first + i)};
    }
    return has_negative ? Result<>(tl::unexpected(negative_duration())) : Result<>();
  });
}

Result<std::unique_ptr<IntervalSet>> IntervalSetBuilder::finish(const StopCheck& stop) {
  IntervalSet& set = *set_;
  TB_TRY(rows_ == nullptr ? place_added(stop) : place_gathered(stop));
  PacedStopCheck check(stop);
  for (size_t i = 0; i + 1 < set.starts.size(); ++i) {
    if (check.stopped(1 + set.starts[i + 1] - set.starts[i])) return tl::unexpected(check.error());
    Span* const begin = set.spans.begin() + set.starts[i];
    Span* const end = set.spans.begin() + set.starts[i + 1];
    if (std::is_sorted(begin, end, is_before)) continue;
    if (!stable_sort(std::span(begin, end), is_before, stop)) return tl::unexpected(stop.error());
  }
  return std::move(set_);
}

}  // namespace tracebraid
