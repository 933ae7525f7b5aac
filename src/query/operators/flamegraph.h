// The module __intrinsic_flamegraph (spec sql-dialect 3.11).
#pragma once

#include "query/operators/operator_context.h"

namespace tracebraid {

// Also adds __intrinsic_flamegraph_config and __intrinsic_flamegraph_find. The context must outlive
// the connection.
Result<> add_flamegraph(OperatorContext& context);

}  // namespace tracebraid
