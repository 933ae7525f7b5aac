// A set of args as JSON text.
#pragma once

#include <cstdint>
#include <string>

#include "base/string_pool.h"
#include "tables/args_table.h"

namespace tracebraid {

// The set as one JSON object: keys are cut at '.', [n] makes arrays. A key that
// contradicts an earlier one (a.b after a = 1) is left out.
// Reals are written as SQL prints them, with 15 digits, or so that they read back the same.
enum class Reals : uint8_t { AsSql, Exact };
std::string arg_set_json(const ArgsTable& args, uint32_t arg_set_id, const StringPool& strings,
                         Reals reals = Reals::AsSql);

// A finite number as JSON that reads back the same, and as no integer: 39.0 and not 39.
void append_exact_real(std::string& to, double real);

}  // namespace tracebraid
