// Telling formats that are not read from those that are.
#pragma once

#include <string_view>

namespace tracebraid::unsupported {

// The head of a pprof profile: messages and numbers of its fields, among them one that no trace
// of packets has (spec clocks 11.1).
bool is_pprof(std::string_view head);

// A file of what Instruments saves (a folder X.trace, often as a ZIP), by its path.
bool is_part_of_instruments_trace(std::string_view name);

// A JSON object that begins with these characters, blanks aside.
bool begins_object(std::string_view head, std::string_view squeezed);

}  // namespace tracebraid::unsupported
