// Numbers of memory dumps, which are hexadecimal texts.
#pragma once

#include <cstdint>
#include <optional>

#include "format/json/wire/dom.h"

namespace tracebraid::json {

// Return the number of a hexadecimal text; the second only if it fits a column.
std::optional<uint64_t> hex_number(const Dom& value);
std::optional<int64_t> hex_amount(const Dom& value);

}  // namespace tracebraid::json
