// The module __intrinsic_window: steps of equal length (spec sql-dialect 3.3).
#pragma once

#include "query/operators/operator_context.h"

namespace tracebraid {

// The context must outlive the connection.
Result<> add_window_table(OperatorContext& context);

}  // namespace tracebraid
