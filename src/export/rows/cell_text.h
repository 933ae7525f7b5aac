// Cells as text, the same in every output format that shows them.
#pragma once

#include <string>
#include <string_view>

#include "column/column.h"

namespace tracebraid {

void append_integer(std::string& to, int64_t value);

// The shortest decimal that reads back as the same double, always with a '.' or
// an exponent, so that its type survives. Infinity is 1e999: valid JSON, and
// every reader rounds it to infinity.
void append_real(std::string& to, double value);

// Length of the UTF-8 sequence that `text` begins with; 0 if it is not valid
// (overlong, surrogate, beyond U+10FFFF, cut short).
size_t utf8_length(std::string_view text);

// `text` with each byte that is not part of valid UTF-8 as U+FFFD.
void append_valid_utf8(std::string& to, std::string_view text);

// A JSON string with its quotes; always valid UTF-8.
void append_json_string(std::string& to, std::string_view text);

// NULL as null, blobs as {"blob":"hex"}.
void append_json(std::string& to, const Cell& cell);

// Text of an input for a terminal: no byte that would move the cursor or change
// colours. Line ends become \n, other control bytes \x1b and the like.
void append_shown(std::string& to, std::string_view text);

// For people: NULL as NULL, blobs as x'hex', texts as above.
void append_shown(std::string& to, const Cell& cell);

// Columns that valid UTF-8 takes on a terminal: two for wide letters, none for
// marks that combine.
size_t shown_width(std::string_view text);

}  // namespace tracebraid
