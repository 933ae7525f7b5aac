// Positions of errors in the user's SQL, and how errors show them (spec sql-dialect 2.11):
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
  size_t line = 1, column = 1;  // both count from 1; the column counts bytes
};
Position position_at(std::string_view sql, size_t offset);

// Returns the whole text above. `statement` is the failed part of `sql` and contains `offset`, an
// offset in `sql`.
std::string error_text(std::string_view sql, std::string_view statement, size_t offset,
                       std::string_view message);

}  // namespace tracebraid
