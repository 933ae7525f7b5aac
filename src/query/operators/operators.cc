#include "query/operators/operators.h"

#include "query/operators/counter_intervals.h"
#include "query/operators/critical_path.h"
#include "query/operators/flamegraph.h"
#include "query/operators/graph_functions.h"
#include "query/operators/graph_scan.h"
#include "query/operators/interval_create.h"
#include "query/operators/interval_intersect.h"
#include "query/operators/mipmap.h"
#include "query/operators/row_tables.h"
#include "query/operators/span_join.h"
#include "query/operators/table_pointer.h"
#include "query/operators/window_table.h"

namespace tracebraid {

Result<> add_operators(OperatorContext& context) {
  TB_TRY(add_table_pointer(context));
  TB_TRY(add_span_joins(context));
  TB_TRY(add_window_table(context));
  TB_TRY(add_mipmaps(context));
  TB_TRY(add_interval_intersect(context));
  TB_TRY(add_interval_create(context));
  TB_TRY(add_counter_intervals(context));
  TB_TRY(add_row_tables(context));
  TB_TRY(add_graph_functions(context));
  TB_TRY(add_graph_scans(context));
  TB_TRY(add_critical_path(context));
  return add_flamegraph(context);
}

}  // namespace tracebraid
