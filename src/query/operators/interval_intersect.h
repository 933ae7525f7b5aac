// Intersects the intervals of several tables (spec sql-dialect 3.4).
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/operators/interval_set.h"
#include "query/operators/operator_context.h"
#include "query/operators/result_table.h"

namespace tracebraid {

constexpr size_t kMostIntersected = 15;  // tables
constexpr size_t kMostPartitions = 4;    // columns

// The tuples of intervals, one of each set, that share time. Columns: ts, dur, id_0 to id_14 (NULL
// from the number of sets on), and the partition columns.
class IntersectedIntervals final : public ResultTable {
 public:
  // Requires: each set has the partition columns `partitions`.
  static Result<std::unique_ptr<IntersectedIntervals>> of(
      std::vector<std::shared_ptr<const IntervalSet>> sets, std::vector<std::string> partitions,
      const OperatorContext& context);

  size_t rows() const override { return rows_; }
  // The kind of all values of a partition column but NULLs: Null if there are no others. Nothing if
  // there are several kinds.
  std::optional<Cell::Kind> kind_of_partition(size_t index) const;
  Cell cell(size_t row, size_t column) const override;
  // Reads a column of integers from row `first` on: ts, dur, an id of a set, or a partition column
  // whose values are integers and NULLs. Any thread may call it.
  void read(size_t column, size_t first, std::span<int64_t> values, std::span<bool> valid) const;

 private:
  // Tuples of one partition: positions in the spans of each set.
  struct Chunk {
    const std::string* key;
    std::vector<uint32_t> tuples = {};
    size_t first = 0;  // row of the first tuple
  };

  IntersectedIntervals(std::vector<std::string> names,
                       std::vector<std::shared_ptr<const IntervalSet>> sets, QueryMemory* memory)
      : ResultTable(std::move(names)), sets_(std::move(sets)), memory_(memory) {}
  Result<> compute(const OperatorContext& context);
  size_t chunk_of(size_t row) const;
  void read_chunk(const Chunk& chunk, size_t column, size_t first, std::span<int64_t> values,
                  std::span<bool> valid) const;

  std::vector<std::shared_ptr<const IntervalSet>> sets_;
  OperatorMemory memory_;
  std::vector<Chunk> chunks_;
  size_t rows_ = 0;
  mutable std::atomic<size_t> chunk_ = 0;  // of the row that was read last
};

// Returns the names of "(a, b)".
std::vector<std::string> names_of_list(std::string_view list);

// Intervals by start, the first of which has the position `first`.
struct PositionedSpans {
  std::span<const Span> spans;
  uint32_t first = 0;
};

// Tuples of positions, in parts: a long list that grows is copied again and again, and the last
// copies take longer than a stop may.
using TupleParts = std::vector<std::vector<uint32_t>>;

// Appends tuples of positions, by the latest start. Returns false if stopped or out of memory.
bool intersect(std::span<const PositionedSpans> sets, const StopCheck& stop, OperatorMemory& memory,
               TupleParts& tuples);

// Adds __intrinsic_interval_tree_intervals_agg and __intrinsic_interval_intersect.
// The context must outlive the connection.
Result<> add_interval_intersect(OperatorContext& context);

}  // namespace tracebraid
