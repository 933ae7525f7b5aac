// SpanJoinRows: computes the rows of a span join, some partitions at a time.
#pragma once

#include <optional>
#include <vector>

#include "query/operators/operator_context.h"
#include "query/operators/span_inputs.h"
#include "query/operators/span_sweep.h"
#include "query/operators/span_table.h"

namespace tracebraid {

class SpanJoinRows {
 public:
  SpanJoinRows(const SpanTable& table, const OperatorContext& context)
      : table_(table), context_(context), inputs_(table, context) {}

  // Finds the first row, of one partition if `partition` is set. Bit i of `columns_read` is set if
  // column i of the result will be read; bit 63 stands for the rest. The first call reads the
  // inputs, of that partition only; the second one reads all partitions for those that follow.
  Result<> start(std::optional<int64_t> partition, uint64_t columns_read);
  Result<> next() { return ++row_ < rows().size() ? Result<>() : find_rows(); }
  // Ends the rows.
  void clear() {
    chunks_.clear();
    chunk_ = row_ = 0;
  }
  bool at_end() const { return chunk_ == chunks_.size(); }

  const SpanPair& row() const { return chunks_[chunk_].rows[row_]; }
  int64_t partition() const { return chunks_[chunk_].partition; }
  // Returns a value of the inputs; `column` counts those of the left side, then those of the right.
  Cell value(size_t column) const;

 private:
  // The rows of one partition, of which `rows` are some.
  struct Chunk {
    int64_t partition;
    SpanSweep sweep;
    std::vector<SpanPair> rows = {};
  };

  Result<> begin_chunks();
  Result<> find_rows();
  const std::vector<SpanPair>& rows() const { return chunks_[chunk_].rows; }

  const SpanTable& table_;
  const OperatorContext& context_;
  SpanInputs inputs_;
  size_t starts_ = 0;     // calls of start()
  bool has_all_ = false;  // whether the inputs have all partitions
  std::vector<Chunk> chunks_;
  size_t chunk_ = 0, row_ = 0;
};

}  // namespace tracebraid
