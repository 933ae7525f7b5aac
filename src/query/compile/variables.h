// The variables in a text of SQL.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "query/compile/parameters.h"

namespace tracebraid {

// Returns an Error (Usage) if there are more parameters without names than variables in each
// statement of the text, because the last ones would have no effect.
Result<> check_value_count(std::string_view sql, std::span<const Parameter> parameters);

}  // namespace tracebraid
