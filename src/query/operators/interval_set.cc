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
  if (dur < 0)
    return fail(ErrorCode::Sql,
                "Interval intersect only works on intervals with non negative duration.");
  if (spans_.size() % kBlockRows == 0) {
    if (spans_.size() >= SpanPair::kNone)
      return fail(ErrorCode::Limit, "an operator takes at most 2^32 rows");
    TB_TRY(set_->memory.take(kBlockRows * (2 * sizeof(Span) + sizeof id + sizeof number)));
  }
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

Result<> IntervalSetBuilder::add(const GatheredRows& rows, const StopCheck& stop) {
  constexpr size_t kFixed = 3, kBlocksPerCheck = 16;
  std::array<std::array<int64_t, kBlockRows>, kFixed> fixed{};
  std::array<int64_t, kBlockRows> partition{};
  std::vector<Cell> values(rows.columns.size() - kFixed);
  absl::flat_hash_map<int64_t, uint32_t> numbers;  // of a single partition column of integers
  spans_.reserve(rows.rows);
  set_->ids.reserve(rows.rows);
  for (size_t first = 0, blocks = 0; first < rows.rows; first += kBlockRows, ++blocks) {
    if (blocks % kBlocksPerCheck == 0 && stop.stopped()) return tl::unexpected(stop.error());
    const size_t count = std::min(kBlockRows, rows.rows - first);
    for (size_t i = 0; i < kFixed; ++i)
      rows.columns[i].read_as_integers(first, std::span(fixed[i]).first(count));
    const size_t integers =
        values.size() == 1
            ? rows.columns[kFixed].read_integers(first, std::span(partition).first(count))
            : 0;
    for (size_t i = 0; i < count; ++i) {
      uint32_t number = 0;
      if (i < integers) {
        const auto [entry, is_new] = numbers.try_emplace(partition[i], 0);
        if (is_new) {
          values[0] = Cell::of(partition[i]);
          entry->second = number_of(values);
        }
        number = entry->second;
      } else {
        for (size_t column = 0; column < values.size(); ++column)
          values[column] = rows.columns[kFixed + column].cell(first + i);
        number = number_of(values);
      }
      TB_TRY(push(fixed[0][i], fixed[1][i], fixed[2][i], number));
    }
  }
  return {};
}

Result<std::unique_ptr<IntervalSet>> IntervalSetBuilder::finish(const StopCheck& stop) {
  IntervalSet& set = *set_;
  set.starts.assign(set.keys.size() + 1, 0);
  if (numbers_.empty()) {
    set.starts.back() = spans_.size();
    set.spans = std::move(spans_);
  } else {
    for (const uint32_t number : numbers_) ++set.starts[number + 1];
    for (size_t i = 1; i < set.starts.size(); ++i) set.starts[i] += set.starts[i - 1];
    std::vector<size_t> next(set.starts.begin(), set.starts.end() - 1);
    set.spans.resize(spans_.size());
    const bool ended = for_each_block(spans_.size(), stop, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) set.spans[next[numbers_[i]]++] = spans_[i];
    });
    if (!ended) return tl::unexpected(stop.error());
    spans_ = {};
  }
  for (size_t i = 0; i + 1 < set.starts.size(); ++i) {
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
