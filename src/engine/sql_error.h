// Errors of SQL that a user typed.
#pragma once

#include <string>
#include <string_view>

namespace tracebraid {

// Rewrites the layout of spec sql-dialect 2.11 for SQL that came as an argument or was typed:
//
//   Traceback (most recent call last):     line 2, column 3:
//     File "stdin" line 2 col 3              nope
//       nope                                 ^
//       ^                                  no such column: nope
//   no such column: nope
//
// Moves the caret below the character at the position, because the layout counts bytes. Keeps one
// frame for each level of macros and modules, and leaves out the expanded statement. Returns any
// other message unchanged.
std::string plain_sql_error(std::string_view message);

}  // namespace tracebraid
