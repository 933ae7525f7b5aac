// Pieces of JSON text, appended to a buffer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tables/store.h"

namespace tracebraid {

// ns as microseconds without loss: 1234.567, -0.001, 5.
void append_micros(std::string& to, int64_t ns);
// The args of a set as an object. Keys lose a leading "args." and nest by '.' and
// [n] as they did in JSON.
void append_args(std::string& to, const Store& store, uint32_t arg_set_id);

}  // namespace tracebraid
