// StatementInfo: one statement of a text that runs statement by statement.
#pragma once

#include <cstddef>
#include <string>

namespace tracebraid {

struct StatementInfo {
  std::string text;          // as the user wrote it, without its ';'
  size_t end_offset = 0;     // of the byte behind the statement and its ';'
  bool is_last = false;      // no statement follows
  bool has_columns = false;  // Query::next() returns its rows
  bool is_silent = false;    // its rows are not shown (spec sql-dialect 2.10)
};

}  // namespace tracebraid
