#include "query/operators/operators.h"

#include "query/operators/counter_intervals.h"
#include "query/operators/interval_create.h"
#include "query/operators/interval_intersect.h"
#include "query/operators/mipmap.h"
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
  return add_counter_intervals(context);
}

}  // namespace tracebraid
