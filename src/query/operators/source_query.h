// The SELECT that is the argument of a module: __intrinsic_flamegraph((SELECT ...)).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "query/operators/operator_context.h"

namespace tracebraid {

// `arguments`: those of CREATE VIRTUAL TABLE. Errors begin with `name`, except those of SQLite.
Result<GatheredRows> rows_of_source(const OperatorContext& context, std::string_view name,
                                    std::span<const char* const> arguments);

// Returns the positions of the named columns. Error: Sql if one is missing.
Result<std::vector<size_t>> columns_of_source(const GatheredRows& rows, std::string_view name,
                                              const std::vector<std::string_view>& columns);

}  // namespace tracebraid
