#include "query/operators/span_inputs.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/workers.h"
#include "query/operators/operator_table.h"
#include "query/operators/relation_columns.h"

namespace tracebraid {
namespace {

constexpr size_t kNotRead = ~size_t{0};
constexpr size_t kLeastSpansOfThread = size_t{1} << 15;

}  // namespace

Result<SpanInputs::Input> SpanInputs::gather(const SpanSide& side, std::optional<int64_t> partition,
                                             uint64_t columns_read, size_t first) {
  Input input;
  std::string sql = "SELECT ts";
  size_t columns = 1;
  const auto add = [&](std::string_view name) {
    sql += ", " + quoted(name);
    return columns++;
  };
  if (side.has_dur) input.columns.dur = add("dur");
  if (side.partition) input.columns.partition = add(*side.partition);
  for (size_t i = 0; i < side.others.size(); ++i)
    input.values.push_back(is_read(columns_read, first + i) ? add(side.others[i].name) : kNotRead);
  sql += " FROM " + quoted(side.table);
  std::vector<Cell> values;
  if (side.partition && partition) {
    sql += fmt::format(" WHERE {} = ?1", quoted(*side.partition));
    values.push_back(Cell::of(*partition));
  }
  TB_TRY_ASSIGN(input.rows, context_.gather(sql, values));
  TB_TRY(memory_.take(input.rows.memory()));
  return input;
}

Result<> SpanInputs::gather(std::optional<int64_t> partition, uint64_t columns_read) {
  memory_.release();
  const size_t first = table_.common_columns();
  TB_TRY_ASSIGN(left_, gather(table_.left, partition, columns_read, first));
  TB_TRY_ASSIGN(right_,
                gather(table_.right, partition, columns_read, first + table_.left.others.size()));
  return {};
}

// Both inputs are sorted at the same time.
Result<> SpanInputs::sort() {
  Input* const inputs[] = {&left_, &right_};
  Result<PartitionedSpans> spans[2];
  memory_of_spans_.release();
  const bool is_large = left_.rows.rows + right_.rows.rows > kLeastSpansOfThread;
  Workers workers(is_large ? std::min(context_.threads, 2U) : 1);
  workers.run(2, [&](size_t i) {
    spans[i] =
        partitioned_spans(inputs[i]->rows, inputs[i]->columns, *context_.stop, memory_of_spans_);
  });
  for (size_t i = 0; i < 2; ++i) {
    if (!spans[i]) return tl::unexpected(spans[i].error());
    inputs[i]->spans = *std::move(spans[i]);
  }
  return {};
}

void SpanInputs::start(std::optional<int64_t> partition) {
  const auto choose = [&](Input& input, bool is_partitioned) {
    const std::vector<int64_t>& all = input.spans.partitions;
    input.at = 0;
    input.end = all.size();
    if (!partition || !is_partitioned) return;
    const auto range = std::ranges::equal_range(all, *partition);
    input.at = static_cast<size_t>(range.begin() - all.begin());
    input.end = static_cast<size_t>(range.end() - all.begin());
  };
  choose(left_, table_.left.partition.has_value());
  choose(right_, table_.right.partition.has_value());
}

std::optional<SpanPartition> SpanInputs::next() {
  const std::vector<int64_t>& left = left_.spans.partitions;
  const std::vector<int64_t>& right = right_.spans.partitions;
  if (!table_.right.partition || !table_.left.partition) {
    // One input, or both, have no partitions: its rows meet each partition of the other.
    const bool left_drives = !table_.right.partition;
    Input& input = left_drives ? left_ : right_;
    if (input.at >= input.end) return std::nullopt;
    const size_t at = input.at++;
    return SpanPartition{input.spans.partitions[at], left_.spans.of(left_drives ? at : 0),
                         right_.spans.of(left_drives ? 0 : at)};
  }
  const bool keeps_left = table_.join != SpanJoin::Inner;
  const bool keeps_right = table_.join == SpanJoin::Outer;
  for (;;) {
    const bool has_left = left_.at < left_.end, has_right = right_.at < right_.end;
    if (!has_left && !has_right) return std::nullopt;
    const bool takes_left = has_left && (!has_right || left[left_.at] <= right[right_.at]);
    const bool takes_right = has_right && (!has_left || right[right_.at] <= left[left_.at]);
    SpanPartition found{takes_left ? left[left_.at] : right[right_.at], {}, {}};
    if (takes_left) found.left = left_.spans.of(left_.at++);
    if (takes_right) found.right = right_.spans.of(right_.at++);
    if (takes_left ? takes_right || keeps_left : keeps_right) return found;
  }
}

void SpanInputs::drop_spans() {
  left_.spans = {};
  right_.spans = {};
  memory_of_spans_.release();
}

const GatheredColumn* SpanInputs::column(size_t column) const {
  const Input& input = is_left(column) ? left_ : right_;
  const size_t at = input.values[is_left(column) ? column : column - table_.left.others.size()];
  return at == kNotRead ? nullptr : &input.rows.columns[at];
}

}  // namespace tracebraid
