// Macros of the tool: __intrinsic_stringify! and __intrinsic_token_apply! (spec sql-dialect 2.7).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/compile/source_map.h"

namespace tracebraid {

// The calls that __intrinsic_token_apply! makes: of one macro, with separators before and between
// them.
struct AppliedCalls {
  std::string macro, prefix, separator;
  std::vector<std::vector<SqlText>> arguments;  // of each call
};

// Returns the quoted text of __intrinsic_stringify!; nothing if this is another macro, or if the
// arguments are wrong.
std::optional<std::string> stringify(std::string_view name, std::span<const SqlText> arguments);
// Returns the calls of __intrinsic_token_apply!; nothing if this is another macro, or if the
// arguments are wrong.
std::optional<AppliedCalls> token_apply(std::string_view name, std::span<const SqlText> arguments);

}  // namespace tracebraid
