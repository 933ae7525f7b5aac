// CreatedTable: the rows of CREATE PERFETTO TABLE as packed columns.
//
// Input: batches of a SELECT. Output: a Table, which is scanned like those of a trace.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/memory_limit.h"
#include "base/result.h"
#include "base/string_pool.h"
#include "column/column.h"
#include "query/batch/record_batch.h"
#include "query/scan/query_memory.h"
#include "query/scan/table.h"
#include "query/statements/types.h"

namespace tracebraid {

// The hidden column of row numbers.
inline constexpr std::string_view kAutoId = "_auto_id";

// The values of one column, which is of one type: that of the schema, or of the first value. A
// column of integers becomes one of reals with the first real.
class CreatedColumn {
 public:
  CreatedColumn(std::string name, std::optional<DialectType> declared);

  // Adds the values of a batch. The message of an Error is for the user, except that of `stop`.
  Result<> add(const ArrayData& values, StringPool& strings, const StopCheck& stop);
  // Makes the view of all rows. Call once, at the end; the column must not move afterwards. Error:
  // that of `stop`.
  Result<ColumnView> finish(const StopCheck& stop);
  size_t memory() const;

 private:
  enum class Kind : uint8_t { Unknown, Integer, Real, Text };
  // The integers and the rows that are NULL, where no value can stand for NULL.
  struct Nullable {
    const PackedInts* integers;
    const std::vector<bool>* nulls;
  };

  Result<> add_cell(const Cell& cell, StringPool& strings, const StopCheck& stop);
  Result<> take(Kind kind, const Cell& cell, const StopCheck& stop);
  Result<> become_real(const StopCheck& stop);
  tl::unexpected<Error> misfit(const Cell& cell) const;
  tl::unexpected<Error> inexact(int64_t integer, size_t row) const;
  void add_null();
  void add_integer(int64_t value);
  void add_text(StringId id) {
    packed_.append(PackedCell<StringId>::pack(id));
    ++rows_;
  }
  void add_integers(const ArrayData& values);
  void add_integers(std::span<const int64_t> values);
  void add_codes(const ArrayData& values, StringPool& strings);
  static Cell nullable_cell(const void* data, size_t row, const StringPool& strings);

  std::string name_;
  std::optional<DialectType> declared_;
  Kind kind_ = Kind::Unknown;
  size_t rows_ = 0, null_count_ = 0;
  PackedInts packed_;        // integers, or ids of texts; -1 for NULL
  std::vector<bool> nulls_;  // of integers, up to the last NULL
  Column<double> reals_;
  Column<OptInt> optional_;        // of integers that do not fit OptRow
  Nullable nullable_{};            // as a last resort
  std::vector<StringId> of_code_;  // of the texts of a dictionary
  int64_t least_ = 0, greatest_ = 0, last_ = 0;
  bool is_sorted_ = true;      // so far, as integers
  bool is_row_number_ = true;  // so far
};

struct CreatedTable {
  CreatedTable(std::shared_ptr<MemoryLimit> limit, QueryMemory* of_query)
      : held(std::move(limit)), memory(of_query) {}

  std::string name;
  std::deque<CreatedColumn> columns;
  StringPool strings;
  size_t rows = 0;
  std::unique_ptr<Table> table;  // after finish()
  HeldMemory held;

  // The same bytes, in the limit of the query that creates the table until it ends.
  OperatorMemory memory;

  // Adds the rows of a batch. Errors: Sql, Limit, NoMemory, that of `stop`.
  Result<> add(const RecordBatch& batch, const StopCheck& stop);
  Result<> finish(const StopCheck& stop);

 private:
  // Adds the bytes that were not charged before.
  Result<> charge();
  size_t charged_ = 0;
};

// Makes a table without rows. `types` are those of the schema, for each column or empty.
std::shared_ptr<CreatedTable> new_table(std::string name, const std::vector<std::string>& columns,
                                        const std::vector<DialectType>& types,
                                        std::shared_ptr<MemoryLimit> limit, QueryMemory* of_query);

}  // namespace tracebraid
