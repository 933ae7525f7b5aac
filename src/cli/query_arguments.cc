#include "cli/query_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace tracebraid {
namespace {

bool exists(const std::string& path) {
  std::error_code error;
  return path == "-" || std::filesystem::exists(path, error);
}

}  // namespace

Result<QuerySource> split_query_arguments(std::span<const std::string> arguments,
                                          const std::string& sql_file, bool stdin_is_terminal,
                                          bool has_trace) {
  QuerySource source{{arguments.begin(), arguments.end()}, "", sql_file};
  if (!has_trace) {
    if (arguments.size() > (sql_file.empty() ? 1U : 0U))
      return fail(ErrorCode::Usage, "with --no-trace give only the SQL, as one argument");
    source.files.clear();
    if (!arguments.empty()) source.sql = arguments.front();
    if (arguments.empty() && sql_file.empty()) source.sql_path = "-";
    if (source.sql_path == "-" && stdin_is_terminal && sql_file.empty())
      return fail(ErrorCode::Usage, "no SQL given; give it as the last argument");
    return source;
  }
  if (sql_file.empty()) {
    const bool last_is_sql = !arguments.empty() && !exists(arguments.back()) &&
                             arguments.back().find_first_of(" \t\n;()") != std::string::npos;
    if (last_is_sql) {
      source.sql = arguments.back();
      source.files.pop_back();
    } else {
      source.sql_path = std::string("-");
    }
  }
  if (source.files.empty())
    return fail(ErrorCode::Usage, "no trace file given; give one before the SQL");
  if (source.sql_path != "-") return source;

  if (std::ranges::find(source.files, "-") != source.files.end())
    return fail(ErrorCode::Usage,
                "the trace and the SQL cannot both come from standard input; give the SQL as the "
                "last argument or with --sql-file");
  for (const std::string& file : source.files)  // checked before waiting for SQL
    if (!exists(file)) return fail(ErrorCode::NotFound, fmt::format("{}: no such file", file));
  if (stdin_is_terminal && sql_file.empty())
    return fail(ErrorCode::Usage,
                "no SQL given; give it as the last argument, or start 'tracebraid shell'");
  return source;
}

}  // namespace tracebraid
