// The modules span_join, span_left_join and span_outer_join (spec sql-dialect 3.2).
#pragma once

#include "query/operators/operator_context.h"

namespace tracebraid {

// The context must outlive the connection.
Result<> add_span_joins(OperatorContext& context);

}  // namespace tracebraid
