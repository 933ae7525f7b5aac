// Values that a caller binds to a statement. In: an Arrow struct array of one row. Out: parameters
// of the engine. Called by query.cc.
#pragma once

#include <vector>

#include "base/result.h"
#include "capi/tracebraid.h"
#include "engine/connection.h"

namespace tracebraid::capi {

// Copies the values. Both null: no parameters. Errors of code Usage name the column.
Result<std::vector<Parameter>> import_parameters(const ArrowArray* array,
                                                 const ArrowSchema* schema);

}  // namespace tracebraid::capi
