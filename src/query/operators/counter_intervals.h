// Turns counter samples into intervals (spec sql-dialect 3.5).
#pragma once

#include "query/operators/operator_context.h"

namespace tracebraid {

// Adds __intrinsic_counter_per_track_agg and __intrinsic_counter_intervals. The context must
// outlive the connection.
Result<> add_counter_intervals(OperatorContext& context);

}  // namespace tracebraid
