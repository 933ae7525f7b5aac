// Numbers of memory dumps, which are hexadecimal text.
#pragma once

#include <cstdint>
#include <optional>

#include "format/json/wire/dom.h"

namespace tracebraid::json {

// A number in hexadecimal text, and one that fits a column.
std::optional<uint64_t> hex_number(const Dom& value);
std::optional<int64_t> hex_amount(const Dom& value);

}  // namespace tracebraid::json
