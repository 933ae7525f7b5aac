// Distinguishes trace files from SQL on the command line of `query`.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tracebraid {

inline constexpr std::string_view kQueryArgumentsHelp =
    "Opens the files as one trace and runs the SQL, which may be several statements separated by "
    "';'. Prints every result set in order, separated by empty lines.\n\n"
    "The SQL comes from the file that --sql-file names. Without that option the last argument is "
    "the SQL if no file of that name exists and it contains a space, a ';' or a parenthesis; "
    "otherwise all arguments are trace files and the SQL is read from standard input. The file "
    "name '-' reads a trace from standard input.";

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
