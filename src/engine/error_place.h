// The names of error codes, and the places that messages name. In: Errors. Out: names, the file and
// the offset in it. Called by capi and fleet, whose errors have these as fields.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tracebraid {

// Returns the name as in the C header: "NOT_FOUND".
std::string_view code_name(ErrorCode code);

// Returns the number behind the last `word` of the text, or nothing.
std::optional<int64_t> number_behind(std::string_view text, std::string_view word);

// Returns the file that a message names: the longest name of an input, with the member behind it if
// the message begins with it ("a.zip/b.pb: ...").
std::optional<std::string> file_in_message(std::string_view message,
                                           std::span<const std::string> inputs);
// Returns the byte that a message about a file names.
std::optional<int64_t> offset_in_message(std::string_view message);

}  // namespace tracebraid
