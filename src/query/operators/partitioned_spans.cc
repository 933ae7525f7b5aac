#include "query/operators/partitioned_spans.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <array>

#include "query/scan/large_vector.h"
#include "query/scan/stoppable_sort.h"

namespace tracebraid {
namespace {

constexpr size_t kBlockRows = kGatheredBlockRows;

// Numbers the distinct values of a column in the order of their appearance.
class Numbering {
 public:
  uint32_t number(int64_t value) {
    if (value >= 0 && value < kMostDirect) {
      if (static_cast<size_t>(value) >= direct_.size())
        direct_.resize(std::max(static_cast<size_t>(value) + 1, 2 * direct_.size()), kNone);
      uint32_t& number = direct_[static_cast<size_t>(value)];
      if (number == kNone) number = add(value);
      return number;
    }
    const auto [entry, is_new] = others_.try_emplace(value, 0);
    if (is_new) entry->second = add(value);
    return entry->second;
  }
  const std::vector<int64_t>& values() const { return values_; }

 private:
  static constexpr int64_t kMostDirect = int64_t{1} << 20;
  static constexpr uint32_t kNone = ~uint32_t{0};
  uint32_t add(int64_t value) {
    values_.push_back(value);
    return static_cast<uint32_t>(values_.size() - 1);
  }
  std::vector<uint32_t> direct_;
  absl::flat_hash_map<int64_t, uint32_t> others_;
  std::vector<int64_t> values_;
};

constexpr uint32_t kSkipped = ~uint32_t{0};

// Sets the number of the partition of each row; kSkipped for NULL.
Result<std::vector<uint32_t>> number_partitions(const GatheredColumn& column, size_t rows,
                                                const StopCheck& stop, Numbering& numbering) {
  std::vector<uint32_t> numbers;
  if (!set_size(numbers, rows, stop)) return tl::unexpected(stop.error());
  std::array<int64_t, kBlockRows> buffer{};
  TB_TRY(for_each_gathered_block(rows, stop, [&](size_t first, size_t count) -> Result<> {
    const std::span values(buffer.data(), count);
    for (size_t at = 0; at < count;) {
      const size_t read = column.read_integers(first + at, values.subspan(at));
      for (size_t i = at; i < at + read; ++i) numbers[first + i] = numbering.number(values[i]);
      at += read;
      if (at == count) break;
      if (column.cell(first + at).kind != Cell::Kind::Null)
        return fail(ErrorCode::Sql, "SPAN_JOIN: partition is not an INT column");
      numbers[first + at++] = kSkipped;
    }
    return {};
  }));
  return numbers;
}

bool is_before(const Span& a, const Span& b) {
  return a.ts != b.ts ? a.ts<b.ts : (a.dur == 0)>(b.dur == 0);
}

}  // namespace

Result<PartitionedSpans> partitioned_spans(const GatheredRows& rows, const SpanColumns& columns,
                                           const StopCheck& stop, OperatorMemory& memory) {
  if (rows.rows >= kSkipped) return fail(ErrorCode::Limit, "an operator takes at most 2^32 rows");
  TB_TRY(memory.take(rows.rows * (sizeof(Span) + sizeof(uint32_t))));
  PartitionedSpans made;
  Numbering numbering;
  std::vector<uint32_t> numbers;
  if (columns.partition) {
    TB_TRY_ASSIGN(numbers,
                  number_partitions(rows.columns[*columns.partition], rows.rows, stop, numbering));
  } else {
    numbering.number(0);
  }
  // Replaces numbers in the order of appearance by those in the order of values.
  made.partitions = numbering.values();
  if (!stable_sort(made.partitions, std::less<>(), stop)) return tl::unexpected(stop.error());
  PacedStopCheck check(stop);
  Numbering sorted;
  for (const int64_t value : made.partitions) {
    if (check.stopped()) return tl::unexpected(check.error());
    sorted.number(value);
  }
  std::vector<uint32_t> rank;
  for (const int64_t value : numbering.values()) {
    if (check.stopped()) return tl::unexpected(check.error());
    rank.push_back(sorted.number(value));
  }

  made.starts.assign(made.partitions.size() + 1, 0);
  if (numbers.empty()) made.starts.back() = columns.partition ? 0 : rows.rows;
  for (uint32_t& number : numbers) {
    if (check.stopped()) return tl::unexpected(check.error());
    if (number == kSkipped) continue;
    number = rank[number];
    ++made.starts[number + 1];
  }
  for (size_t i = 1; i < made.starts.size(); ++i) made.starts[i] += made.starts[i - 1];
  if (!made.spans.allocate(made.starts.back(), stop)) return tl::unexpected(stop.error());
  std::vector<size_t> next(made.starts.begin(), made.starts.end() - 1);

  std::array<int64_t, kBlockRows> ts{}, dur{};
  TB_TRY(for_each_gathered_block(rows.rows, stop, [&](size_t first, size_t count) -> Result<> {
    rows.columns[columns.ts].read_as_integers(first, std::span(ts).first(count));
    if (columns.dur)
      rows.columns[*columns.dur].read_as_integers(first, std::span(dur).first(count));
    for (size_t i = 0; i < count; ++i) {
      const uint32_t number = numbers.empty() ? 0 : numbers[first + i];
      if (number == kSkipped) continue;
      made.spans[next[number]++] = {ts[i], dur[i], static_cast<uint32_t>(first + i)};
    }
    return {};
  }));
  for (size_t i = 0; i + 1 < made.starts.size(); ++i) {
    if (check.stopped(1 + made.starts[i + 1] - made.starts[i]))
      return tl::unexpected(check.error());
    Span* const begin = made.spans.begin() + made.starts[i];
    Span* const end = made.spans.begin() + made.starts[i + 1];
    if (std::is_sorted(begin, end, is_before)) continue;
    if (!stable_sort(std::span(begin, end), is_before, stop)) return tl::unexpected(stop.error());
  }
  return made;
}

}  // namespace tracebraid
