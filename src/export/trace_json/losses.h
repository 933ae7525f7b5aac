// Data that Trace Event JSON cannot represent.
#pragma once

#include <string>
#include <vector>

#include "tables/store.h"

namespace tracebraid {

// Returns one message for each table whose rows are not written, with their number.
std::vector<std::string> losses_in_json(const Store& store);

}  // namespace tracebraid
