// Memory dumps: events 'v' of one process and 'V' of all (spec json 4.15).
#pragma once

#include <cstdint>
#include <optional>

#include "format/json/events.h"

namespace tracebraid::json {

// `ts` is in ns of the file's clock.
void write_memory_dump(Piece& piece, const Members& members, char phase, int64_t ts);

// A number in hexadecimal text, and one that fits a column.
std::optional<uint64_t> hex_number(const Dom& value);
std::optional<int64_t> hex_amount(const Dom& value);

}  // namespace tracebraid::json
