// Text of cells, shared by all output formats.
#pragma once

#include <string>
#include <string_view>

#include "column/cell.h"

namespace tracebraid {

void append_integer(std::string& to, int64_t value);

// Returns the shortest decimal that parses to the same double, always with a '.' or an exponent, so
// that readers see a double. Infinity is 1e999, which is valid JSON and parses to infinity.
void append_real(std::string& to, double value);

// Returns the length of the UTF-8 sequence at the begin of `text`; 0 if it is invalid (overlong,
// surrogate, beyond U+10FFFF, truncated).
size_t utf8_length(std::string_view text);

// Returns `text` with each byte of invalid UTF-8 replaced by U+FFFD.
void append_valid_utf8(std::string& to, std::string_view text);

// Appends a JSON string with its quotes, in valid UTF-8.
void append_json_string(std::string& to, std::string_view text);

// Appends a cell as JSON: NULL as null, blobs as {"blob":"hex"}.
void append_json(std::string& to, const Cell& cell);

// Appends text of an input for a terminal, with escaped control characters, because they could
// control the terminal: line ends as \n, others as \x1b or \u202e.
void append_shown(std::string& to, std::string_view text);

// Appends a cell for display: NULL as NULL, blobs as x'hex', texts as above.
void append_shown(std::string& to, const Cell& cell);

}  // namespace tracebraid
