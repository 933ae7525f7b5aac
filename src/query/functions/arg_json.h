// Arg sets as JSON text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/string_pool.h"
#include "tables/args_table.h"

namespace tracebraid {

// Arg sets become one JSON object with all leaves: paths are split at '.', [n] makes arrays. A leaf
// that contradicts an earlier one (a.b after a = 1) is left out. Reals have 15 digits, as SQL
// prints them, or as many digits as they need to parse to the same value.
// Exact: infinity is 1e999, as in other exports, and not a number the text "NaN".
enum class Reals : uint8_t { AsSql, Exact };
std::string arg_set_json(const ArgsTable& args, uint32_t arg_set_id, const StringPool& strings,
                         Reals reals = Reals::AsSql);
// Appends the object `args` of the set if all its leaves are in that object, else the whole set.
void append_args_json(std::string& json, const ArgsTable& args, uint32_t arg_set_id,
                      const StringPool& strings, Reals reals);
// Appends the value of one leaf.
void append_arg_json(std::string& json, const ArgRow& row, const StringPool& strings, Reals reals);

// Appends a text in quotes.
void append_quoted(std::string& json, std::string_view text);

// Appends a finite number as JSON that parses to the same real, and not to an integer: 39.0 instead
// of 39.
void append_exact_real(std::string& to, double real);

}  // namespace tracebraid
