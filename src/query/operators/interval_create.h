// Makes intervals of starts and ends (spec sql-dialect 3.4).
#pragma once

#include "query/operators/operator_context.h"

namespace tracebraid {

// Adds __intrinsic_timestamp_set_agg and __intrinsic_interval_create. The context must outlive the
// connection.
Result<> add_interval_create(OperatorContext& context);

}  // namespace tracebraid
