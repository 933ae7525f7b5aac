// SpanInputs: the two inputs of a span join, by partition and start.
//
// Input: the definition of a span join. Output: the intervals of both sides, partition by
// partition, and the values of their rows. Called by SpanJoinRows and SpanJoinColumns.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "query/operators/operator_context.h"
#include "query/operators/partitioned_spans.h"
#include "query/operators/span_table.h"

namespace tracebraid {

// The intervals of both sides that have the same partition.
struct SpanPartition {
  int64_t partition;
  std::span<const Span> left, right;
};

class SpanInputs {
 public:
  // Both must outlive the inputs.
  SpanInputs(const SpanTable& table, const OperatorContext& context)
      : table_(table),
        context_(context),
        memory_(context.memory),
        memory_of_spans_(context.memory) {}

  // Reads both inputs, of one partition if `partition` is set. Column i of the result will be read
  // if is_read(columns_read, i). Errors: Sql, those of the StopCheck, and Limit.
  Result<> gather(std::optional<int64_t> partition, uint64_t columns_read);
  // Sorts what gather() read. Errors: the same.
  Result<> sort();
  // Moves before the first partition, or before the given one, which is then the only one.
  void start(std::optional<int64_t> partition);
  // Returns the next partition that may have rows in the result, in increasing order; nothing
  // behind the last one.
  std::optional<SpanPartition> next();

  // Returns the column of an input; `column` counts those of the left side, then those of the
  // right. Null if it is not read.
  const GatheredColumn* column(size_t column) const;
  bool is_left(size_t column) const { return column < table_.left.others.size(); }
  size_t rows_of_left() const { return left_.rows.rows; }
  size_t rows_of_right() const { return right_.rows.rows; }
  // Frees the intervals, but not the values.
  void drop_spans();

 private:
  struct Input {
    GatheredRows rows;
    SpanColumns columns;         // in `rows`
    std::vector<size_t> values;  // the column in `rows` of each of SpanSide::others
    PartitionedSpans spans;
    size_t at = 0, end = 0;  // the next partition, and the end of those that are wanted
  };

  // `first`: the first of SpanSide::others in the result.
  Result<Input> gather(const SpanSide& side, std::optional<int64_t> partition,
                       uint64_t columns_read, size_t first);

  const SpanTable& table_;
  const OperatorContext& context_;
  OperatorMemory memory_, memory_of_spans_;
  Input left_, right_;
};

}  // namespace tracebraid
