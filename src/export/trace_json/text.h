// Text of a Trace Event JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tables/store.h"

namespace tracebraid {

// Returns an empty text for none.
std::string_view text_or_empty(const Store& store, StringId id);

// Appends ns as exact microseconds: 1234.567, -0.001, 5.
void append_micros(std::string& to, int64_t ns);
// Appends the args of a set as an object. Removes a leading "args." of keys and nests them by '.'
// and [n].
void append_args(std::string& to, const Store& store, uint32_t arg_set_id);

}  // namespace tracebraid
