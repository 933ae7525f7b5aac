// What a Trace Event JSON has no place for.
#pragma once

#include <string>
#include <vector>

#include "tables/store.h"

namespace tracebraid {

// A line for people of each table whose rows are not written, with their number.
std::vector<std::string> losses_in_json(const Store& store);

}  // namespace tracebraid
