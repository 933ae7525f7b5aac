#include "query/operators/operators.h"

#include "query/operators/span_join.h"

namespace tracebraid {

Result<> add_operators(OperatorContext& context) { return add_span_joins(context); }

}  // namespace tracebraid
