// Distinguishes formats that are not read from those that are.
#pragma once

#include <string_view>

namespace tracebraid::unsupported {

// Matches the head of a pprof profile: messages and numbers of its fields, among them one that no
// trace of packets has (spec clocks 11.1).
bool is_pprof(std::string_view head);

// Matches the path of a file that Instruments saves (a folder X.trace, often as a ZIP).
bool is_part_of_instruments_trace(std::string_view name);

// Matches a JSON object that begins with these characters, ignoring blanks.
bool begins_object(std::string_view head, std::string_view squeezed);

}  // namespace tracebraid::unsupported
