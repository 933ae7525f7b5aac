// Expands the macro calls of a statement (spec sql-dialect 2.7).
//
// Input: a statement and the macros of a connection. Output: the expanded text, and a map of its
// bytes to the texts of statements, macros and arguments. Called by Script.
#pragma once

#include <string_view>

#include "base/result.h"
#include "query/compile/source_map.h"
#include "query/macros/macro.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

// Limits of one statement: more are an Error.
inline constexpr size_t kMostExpandedBytes = size_t{16} << 20;  // that macros add
inline constexpr size_t kMostExpansions = 1'000'000;            // macro calls and arguments
inline constexpr size_t kDeepestExpansion = 300;                // calls within calls

// Expands the range of the frame. Takes time in proportion to its size and that of the result.
// Errors have a traceback, except those of `stop`. The macros are unchanged afterwards.
Result<SqlText> expand_macros(const SourceFrame& statement, MacroSet& macros,
                              const StopCheck& stop);

}  // namespace tracebraid
