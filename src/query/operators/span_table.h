// SpanTable: the definition of a span join: its two inputs, and the columns of its rows.
#pragma once

#include <sqlite3.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "query/operators/span_sweep.h"

namespace tracebraid {

struct SpanSide {
  struct Column {
    std::string name, type;
  };
  std::string table;
  std::optional<std::string> partition;
  bool has_dur = false;
  std::vector<Column> others = {};  // columns besides ts, dur and the partition
};

struct SpanTable {
  SpanJoin join;
  SpanSide left, right;
  std::vector<std::string> names = {};  // of the columns of the result

  bool is_partitioned() const { return left.partition || right.partition; }
  // ts, dur and the partition column, which precede the columns of the inputs.
  size_t common_columns() const { return is_partitioned() ? 3 : 2; }
  // The text of CREATE TABLE for SQLite.
  std::string declaration() const;
};

// `arguments`: those of the module, "table [PARTITIONED column]" each. Error: Sql.
Result<SpanTable> span_table(sqlite3* db, SpanJoin join, std::span<const char* const> arguments);

}  // namespace tracebraid
