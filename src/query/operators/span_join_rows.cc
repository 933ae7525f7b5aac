#include "query/operators/span_join_rows.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/workers.h"
#include "query/operators/relation_columns.h"

namespace tracebraid {
namespace {

constexpr size_t kNotRead = ~size_t{0};
constexpr size_t kRowsOfChunk = size_t{1} << 17;  // computed at a time in a partition
constexpr size_t kSpansAtOnce = size_t{1} << 19;  // of the partitions that are joined at a time
constexpr size_t kLeastSpansOfThread = size_t{1} << 15;

}  // namespace

Result<SpanJoinRows::Input> SpanJoinRows::read(const SpanSide& side,
                                               std::optional<int64_t> partition,
                                               const std::function<bool(size_t)>& is_read) {
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
    input.values.push_back(is_read(i) ? add(side.others[i].name) : kNotRead);
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

Result<> SpanJoinRows::read_inputs(std::optional<int64_t> partition, uint64_t columns_read) {
  memory_.release();
  const auto reads_from = [&](size_t first) {
    return [=](size_t i) { return (columns_read >> std::min<size_t>(first + i, 63) & 1) != 0; };
  };
  const size_t first = table_.common_columns();
  TB_TRY_ASSIGN(left_, read(table_.left, partition, reads_from(first)));
  TB_TRY_ASSIGN(right_,
                read(table_.right, partition, reads_from(first + table_.left.others.size())));
  return sort_inputs();
}

// The inputs are sorted at the same time.
Result<> SpanJoinRows::sort_inputs() {
  Input* const inputs[] = {&left_, &right_};
  Result<PartitionedSpans> spans[2];
  const bool is_large = left_.rows.rows + right_.rows.rows > kLeastSpansOfThread;
  Workers workers(is_large ? std::min(context_.threads, 2U) : 1);
  workers.run(2, [&](size_t i) {
    spans[i] = partitioned_spans(inputs[i]->rows, inputs[i]->columns, *context_.stop, memory_);
  });
  for (size_t i = 0; i < 2; ++i) {
    if (!spans[i]) return tl::unexpected(spans[i].error());
    inputs[i]->spans = *std::move(spans[i]);
  }
  return {};
}

Result<> SpanJoinRows::start(std::optional<int64_t> partition, uint64_t columns_read) {
  chunks_.clear();
  chunk_ = row_ = 0;
  if (!has_all_) {
    has_all_ = !partition || ++starts_ > 1;
    TB_TRY(read_inputs(has_all_ ? std::nullopt : partition, columns_read));
  }
  const auto choose = [&](const Input& input, bool is_partitioned, size_t& at, size_t& end) {
    const std::vector<int64_t>& all = input.spans.partitions;
    at = 0;
    end = all.size();
    if (!partition || !is_partitioned) return;
    const auto range = std::ranges::equal_range(all, *partition);
    at = static_cast<size_t>(range.begin() - all.begin());
    end = static_cast<size_t>(range.end() - all.begin());
  };
  choose(left_, table_.left.partition.has_value(), left_at_, left_end_);
  choose(right_, table_.right.partition.has_value(), right_at_, right_end_);
  return find_rows();
}

void SpanJoinRows::add_chunk(size_t left, size_t right, int64_t partition) {
  const auto of = [](const Input& input, size_t at) {
    return at == kNotRead ? std::span<const Span>() : input.spans.of(at);
  };
  chunks_.push_back({partition, SpanSweep(table_.join, of(left_, left), of(right_, right))});
}

// Adds the chunks of the next partitions; none at the end.
Result<> SpanJoinRows::begin_chunks() {
  const std::vector<int64_t>& left = left_.spans.partitions;
  const std::vector<int64_t>& right = right_.spans.partitions;
  const bool left_drives = !table_.right.partition, right_drives = !table_.left.partition;
  const bool keeps_left = table_.join != SpanJoin::Inner;
  const bool keeps_right = table_.join == SpanJoin::Outer;
  size_t spans = 0;
  PacedStopCheck check(*context_.stop);
  while (spans < kSpansAtOnce) {
    if (check.stopped()) return tl::unexpected(check.error());
    const bool has_left = left_at_ < left_end_, has_right = right_at_ < right_end_;
    if (left_drives || right_drives) {
      // One input, or both, have no partitions: its rows meet each partition of the other.
      size_t& at = left_drives ? left_at_ : right_at_;
      if (left_drives ? !has_left : !has_right) return {};
      add_chunk(left_drives ? at : 0, left_drives ? 0 : at, left_drives ? left[at] : right[at]);
      spans += left_drives ? left_.spans.of(at).size() + right_.spans.spans.size()
                           : right_.spans.of(at).size() + left_.spans.spans.size();
      ++at;
      continue;
    }
    if (!has_left && !has_right) return {};
    const bool takes_left = has_left && (!has_right || left[left_at_] <= right[right_at_]);
    const bool takes_right = has_right && (!has_left || right[right_at_] <= left[left_at_]);
    const size_t l = takes_left ? left_at_++ : kNotRead;
    const size_t r = takes_right ? right_at_++ : kNotRead;
    if (takes_left ? !takes_right && !keeps_left : !keeps_right) continue;
    add_chunk(l, r, takes_left ? left[l] : right[r]);
    if (takes_left) spans += left_.spans.of(l).size();
    if (takes_right) spans += right_.spans.of(r).size();
  }
  return {};
}

// Moves to the first row behind the current chunk's rows.
Result<> SpanJoinRows::find_rows() {
  const StopCheck& stop = *context_.stop;
  row_ = 0;
  for (;;) {
    if (chunk_ < chunks_.size()) {
      Chunk& chunk = chunks_[chunk_];
      if (!chunk.sweep.done()) {
        chunk.rows.clear();
        if (!chunk.sweep.fill(chunk.rows, kRowsOfChunk, stop)) return tl::unexpected(stop.error());
        if (!chunk.rows.empty()) return {};
        continue;
      }
      chunk.rows = {};
      ++chunk_;
      if (chunk_ < chunks_.size() && !chunks_[chunk_].rows.empty()) return {};
      if (chunk_ < chunks_.size()) continue;
    }
    chunks_.clear();
    chunk_ = 0;
    TB_TRY(begin_chunks());
    if (chunks_.empty()) return {};
    if (stop.stopped()) return tl::unexpected(stop.error());
    Workers workers(chunks_.size() > 1 ? context_.threads : 1);
    std::vector<uint8_t> filled(chunks_.size());
    workers.run(chunks_.size(), [&](size_t i) {
      filled[i] = chunks_[i].sweep.fill(chunks_[i].rows, kRowsOfChunk, stop) ? 1 : 0;
    });
    if (std::ranges::find(filled, 0) != filled.end()) return tl::unexpected(stop.error());
    if (!chunks_[0].rows.empty()) return {};
  }
}

Cell SpanJoinRows::value(size_t column) const {
  const size_t lefts = table_.left.others.size();
  const bool is_left = column < lefts;
  const Input& input = is_left ? left_ : right_;
  const uint32_t row = is_left ? this->row().left : this->row().right;
  const size_t at = input.values[is_left ? column : column - lefts];
  if (row == SpanPair::kNone || at == kNotRead) return Cell::null();
  return input.rows.columns[at].cell(row);
}

}  // namespace tracebraid
