// __intrinsic_table_ptr: shows the rows of a pointer value (spec sql-dialect 3.1).
#pragma once

#include "query/operators/operator_context.h"

namespace tracebraid {

// Also adds our own __intrinsic_table_columns, whose column ci is the column i of the table.
// The context must outlive the connection.
Result<> add_table_pointer(OperatorContext& context);

}  // namespace tracebraid
