// IntervalSet: the intervals of one table by partition and start, as a pointer value.
//
// Input: rows (id, ts, dur, values of partition columns). Output: sorted intervals. Called by the
// interval aggregates and functions.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/operators/gathered.h"
#include "query/operators/span_buffer.h"
#include "query/operators/span_sweep.h"
#include "query/scan/query_memory.h"

namespace tracebraid {

struct IntervalSet {
  static constexpr const char* kPointerName = "INTERVAL_TREE_PARTITIONS";
  explicit IntervalSet(QueryMemory* of) : memory(of) {}

  std::vector<std::string> names;  // of the partition columns
  // The values of the partition columns, as bytes that are equal if types and values are.
  std::vector<std::string> keys;
  std::vector<size_t> starts;  // of each partition in `spans`, and the end of the last
  SpanBuffer spans;            // by partition, ts, row
  OperatorMemory memory;

  std::span<const Span> of(size_t partition) const {
    return std::span(spans).subspan(starts[partition], starts[partition + 1] - starts[partition]);
  }
  // Returns the id of a row, Span::row.
  int64_t id(uint32_t row) const {
    return stored_ids ? as_integer(stored_ids->cell(row)) : ids[row];
  }
  // Reads the ids of rows. Any thread may call it.
  void read_ids(std::span<const uint32_t> rows, std::span<int64_t> values) const;

  std::vector<int64_t> ids;  // by row, unless `stored_ids` is set
  std::optional<GatheredColumn> stored_ids;
};

// Appends the bytes of a value to a key.
void add_to_key(const Cell& value, std::string& key);
// Returns value number `index` of a key. Texts refer to the key.
Cell value_of_key(std::string_view key, size_t index);

class IntervalSetBuilder {
 public:
  IntervalSetBuilder(std::vector<std::string> names, QueryMemory* memory)
      : set_(std::make_unique<IntervalSet>(memory)) {
    set_->names = std::move(names);
  }

  // Errors: Sql for a negative dur, Limit.
  Result<> add(int64_t id, int64_t ts, int64_t dur, std::span<const Cell> partition);
  // Adds rows with columns id, ts, dur and the partition columns, which finish() reads. Errors:
  // those of `stop`, Limit. Requires: the builder is new and stays without other rows.
  Result<> add(const GatheredRows& rows, const StopCheck& stop);
  // Sorts the intervals. Errors: those of `stop`, Limit, and Sql for a negative dur.
  Result<std::unique_ptr<IntervalSet>> finish(const StopCheck& stop);

 private:
  uint32_t number_of(std::span<const Cell> partition);
  uint32_t number_of(int64_t value);
  void read_numbers(const GatheredRows& rows, size_t first, std::span<uint32_t> numbers);
  Result<> begin_block(size_t rows);
  Result<> push(int64_t id, int64_t ts, int64_t dur, uint32_t number);
  Result<> place_added(const StopCheck& stop);
  Result<> place_gathered(const StopCheck& stop);

  std::unique_ptr<IntervalSet> set_;
  std::vector<Span> spans_;             // in order of addition
  const GatheredRows* rows_ = nullptr;  // instead of spans_
  std::vector<uint32_t> numbers_;       // of the partitions of the rows; empty: all 0
  absl::flat_hash_map<std::string, uint32_t> numbers_of_keys_;
  std::vector<uint32_t> numbers_of_small_;  // of integers from 0 on; kNone: not seen
  absl::flat_hash_map<int64_t, uint32_t> numbers_of_large_;
  std::string key_;
  uint32_t last_number_ = 0;  // of key_
  bool has_last_ = false;
};

}  // namespace tracebraid
