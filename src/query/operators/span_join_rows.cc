#include "query/operators/span_join_rows.h"

#include <algorithm>

#include "base/workers.h"
#include "query/operators/task_stop.h"

namespace tracebraid {
namespace {

constexpr size_t kRowsOfChunk = size_t{1} << 17;  // computed at a time in a partition
constexpr size_t kSpansAtOnce = size_t{1} << 19;  // of the partitions that are joined at a time

}  // namespace

Result<> SpanJoinRows::start(std::optional<int64_t> partition, uint64_t columns_read) {
  clear();
  if (!has_all_) {
    has_all_ = !partition || ++starts_ > 1;
    TB_TRY(inputs_.gather(has_all_ ? std::nullopt : partition, columns_read));
    TB_TRY(inputs_.sort());
  }
  inputs_.start(partition);
  return find_rows();
}

// Adds the chunks of the next partitions; none at the end.
Result<> SpanJoinRows::begin_chunks() {
  PacedStopCheck check(*context_.stop);
  for (size_t spans = 0; spans < kSpansAtOnce;) {
    if (check.stopped()) return tl::unexpected(check.error());
    const std::optional<SpanPartition> next = inputs_.next();
    if (!next) return {};
    chunks_.push_back({next->partition, SpanSweep(table_.join, next->left, next->right)});
    spans += next->left.size() + next->right.size();
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
      if (is_stopped_before(i, stop)) return;
      filled[i] = chunks_[i].sweep.fill(chunks_[i].rows, kRowsOfChunk, stop) ? 1 : 0;
    });
    if (std::ranges::find(filled, 0) != filled.end()) return tl::unexpected(stop.error());
    if (!chunks_[0].rows.empty()) return {};
  }
}

Cell SpanJoinRows::value(size_t column) const {
  const GatheredColumn* const values = inputs_.column(column);
  const uint32_t row = inputs_.is_left(column) ? this->row().left : this->row().right;
  return row == SpanPair::kNone || values == nullptr ? Cell::null() : values->cell(row);
}

}  // namespace tracebraid
