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

#include "query/compile/source_map.h"

namespace tracebraid {

struct Position {
  size_t line = 1, column = 1;  // both count from 1; the column counts bytes
};
Position position_at(std::string_view sql, size_t offset);

// Returns the lines above the message: the expanded statement if macros were expanded, and a frame
// for the statement, for each macro and for each argument that leads to the byte `offset` of
// `expanded`. Ends with a newline. Empty for a text without a source.
std::string traceback(const SourceMap& map, std::string_view expanded, size_t offset);

// Return the parts of a traceback: the lines above the frames of the statement, and the frames that
// lead to a place.
std::string traceback_head(const SourceMap& map);
std::string frames_text(const SourceMap& map, SourceMap::Place place);

}  // namespace tracebraid
