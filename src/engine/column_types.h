// Types that a caller states for the columns of a result: "n=int64,x=float64".
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/batch/record_batch.h"

namespace tracebraid {

// Parses names and types. `option` names the option in errors. The type `dictionary` is one if
// `takes_dictionary`. Error Usage.
Result<std::vector<Field>> parse_column_types(std::string_view text, std::string_view option,
                                              bool takes_dictionary);

}  // namespace tracebraid
