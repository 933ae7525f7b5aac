#include "query/operators/interval_set.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "query/scan/stop_check.h"
#include "query/scan/stoppable_sort.h"

namespace tracebraid {
namespace {

constexpr size_t kBlockRows = 4096;

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
  std::array<int64_t, kBlockRows> ts{}, dur{};
  const size_t before = spans_.size();
  spans_.reserve(before + rows.rows);
  set_->ids.resize(before + rows.rows);
  const bool has_partitions = rows.columns.size() > kFixed;
  if (has_partitions) numbers_.resize(before + rows.rows);
  for (size_t first = 0; first < rows.rows; first += kBlockRows) {
    if (stop.stopped()) return tl::unexpected(stop.error());
    const size_t count = std::min(kBlockRows, rows.rows - first);
    TB_TRY(begin_block(count));
    rows.columns[0].read_as_integers(first, std::span(set_->ids).subspan(before + first, count));
    rows.columns[1].read_as_integers(first, std::span(ts).first(count));
    rows.columns[2].read_as_integers(first, std::span(dur).first(count));
    if (std::ranges::any_of(std::span(dur).first(count), [](int64_t value) { return value < 0; }))
      return tl::unexpected(negative_duration());
    for (size_t i = 0; i < count; ++i)
      spans_.push_back({ts[i], dur[i], static_cast<uint32_t>(spans_.size())});
    if (has_partitions)
      read_numbers(rows, first, std::span(numbers_).subspan(before + first, count));
  }
  if (!has_partitions && rows.rows != 0) number_of(std::span<const Cell>());
  return {};
}

Result<std::unique_ptr<IntervalSet>> IntervalSetBuilder::finish(const StopCheck& stop) {
  IntervalSet& set = *set_;
  set.starts.assign(set.keys.size() + 1, 0);
  if (numbers_.empty()) {
    set.starts.back() = spans_.size();
    set.spans = std::move(spans_);
  } else {
    bool ended = for_each_block(spans_.size(), stop, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) ++set.starts[numbers_[i] + 1];
    });
    if (!ended) return tl::unexpected(stop.error());
    for (size_t i = 1; i < set.starts.size(); ++i) set.starts[i] += set.starts[i - 1];
    std::vector<size_t> next(set.starts.begin(), set.starts.end() - 1);
    set.spans.resize(spans_.size());
    ended = for_each_block(spans_.size(), stop, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) set.spans[next[numbers_[i]]++] = spans_[i];
    });
    if (!ended) return tl::unexpected(stop.error());
    spans_ = {};
  }
  PacedStopCheck check(stop);
  for (size_t i = 0; i + 1 < set.starts.size(); ++i) {
    if (check.stopped(1 + set.starts[i + 1] - set.starts[i])) return tl::unexpected(check.error());
    const auto begin = set.spans.begin() + static_cast<ptrdiff_t>(set.starts[i]);
    const auto end = set.spans.begin() + static_cast<ptrdiff_t>(set.starts[i + 1]);
    if (std::is_sorted(begin, end, is_before)) continue;
    std::vector<Span> unsorted(begin, end);
    if (!stable_sort(unsorted, is_before, stop)) return tl::unexpected(stop.error());
    std::ranges::copy(unsorted, begin);
  }
  return std::move(set_);
}

}  // namespace tracebraid
