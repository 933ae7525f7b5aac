// Distinguishes trace files from SQL on the command line of `query`.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace tracebraid {

struct QuerySource {
  std::vector<std::string> files;
  std::string sql;       // if it was on the command line
  std::string sql_path;  // otherwise its file; "-" is standard input
};

// Without a trace the only argument is the SQL. Returns an Error of code Usage, or NotFound for a
// text that can only be a misspelt file.
Result<QuerySource> split_query_arguments(std::span<const std::string> arguments,
                                          const std::string& sql_file, bool stdin_is_terminal,
                                          bool has_trace = true);

}  // namespace tracebraid
