// The rows of a span join as a table that is read column by column.
//
// Input: the definition of a span join. Output: an OperatorTable. Called by the span join modules.
#pragma once

#include <string>
#include <string_view>

#include "query/operators/operator_context.h"
#include "query/operators/operator_table.h"
#include "query/operators/span_table.h"

namespace tracebraid {

// `name` is that of the table. Rows are computed by partition on all threads of the context, which
// must outlive the result, as `definition` must.
OperatorTable span_join_columns(const SpanTable& definition, std::string_view name,
                                const OperatorContext& context);

}  // namespace tracebraid
