// Where in the user's SQL an error lies, and how that is shown (spec sql-dialect 2.11):
//
//   Traceback (most recent call last):
//     File "stdin" line 2 col 3
//       nope
//       ^
//   no such column: nope
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tracebraid {

struct Position {
  size_t line = 1, column = 1;  // from 1; the column in bytes
};
Position position_at(std::string_view sql, size_t offset);

// The whole text above. `statement` is the part of `sql` that failed and holds
// `offset`, an offset in `sql`.
std::string error_text(std::string_view sql, std::string_view statement, size_t offset,
                       std::string_view message);

}  // namespace tracebraid
