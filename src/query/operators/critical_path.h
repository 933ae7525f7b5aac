// Critical paths of wakeups: which thread a sleeping thread waited for (spec sql-dialect 3.10).
#pragma once

#include "query/operators/operator_context.h"

namespace tracebraid {

// Adds __intrinsic_wakeup_spans_agg(id, ts, dur, utid, idle_dur, waker_id), which collects the
// spans of threads between two sleeps, and __intrinsic_critical_path(spans, root ids), whose table
// has the pieces of the path of each root: root_id, root_utid, id, ts, dur, utid, depth. The
// context must outlive the connection.
Result<> add_critical_path(OperatorContext& context);

}  // namespace tracebraid
