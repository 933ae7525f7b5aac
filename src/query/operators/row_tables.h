// Aggregates that collect rows as pointer values (spec sql-dialect 4.6): arrays, tables, trees.
#pragma once

#include "query/operators/operator_context.h"
#include "query/operators/value_column.h"

namespace tracebraid {

// The values of __intrinsic_array_agg.
struct ValueArray {
  static constexpr const char* kPointerName = "ARRAY";
  explicit ValueArray(QueryMemory* of) : memory(of) {}
  ValueColumn values;
  OperatorMemory memory;
};

// Adds __intrinsic_array_agg, RepeatedField, __intrinsic_row_dataframe_agg, __intrinsic_struct,
// __intrinsic_tree_from_table and __intrinsic_tree_to_table. The context must outlive the
// connection.
Result<> add_row_tables(OperatorContext& context);

}  // namespace tracebraid
