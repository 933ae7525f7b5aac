// Scans of graphs: rows are handed along edges by a step in SQL (spec sql-dialect 3.10).
#pragma once

#include "query/operators/operator_context.h"

namespace tracebraid {

// Adds __intrinsic_graph_scan and __intrinsic_graph_aggregating_scan. The context must outlive the
// connection.
Result<> add_graph_scans(OperatorContext& context);

}  // namespace tracebraid
