// tracebraid query: SQL in, rows out.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include "cli/commands/commands.h"
#include "cli/open.h"
#include "cli/output/row_writer.h"
#include "cli/query_arguments.h"

namespace tracebraid {
namespace {

struct QueryArguments {
  OpenArguments open;
  std::string sql_file;
  std::string format = "table";
};

Result<std::string> read_all(std::istream& stream, std::string_view name) {
  std::ostringstream text;
  text << stream.rdbuf();
  if (stream.bad())
    return fail(ErrorCode::Io, fmt::format("cannot read {}: {}", name, std::strerror(errno)));
  return std::move(text).str();
}

Result<std::string> read_sql(const std::string& path) {
  if (path == "-") return read_all(std::cin, "the SQL from standard input");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return fail(ErrorCode::NotFound, fmt::format("cannot open {}: {}", path, std::strerror(errno)));
  return read_all(file, path);
}

Result<ExitCode> run(const QueryArguments& arguments, std::span<const std::string> given) {
  TB_TRY_ASSIGN(const QuerySource source,
                split_query_arguments(given, arguments.sql_file, isatty(STDIN_FILENO) == 1));
  std::string sql = source.sql;
  if (!source.sql_path.empty()) {
    TB_TRY_ASSIGN(sql, read_sql(source.sql_path));
  }
  TB_TRY_ASSIGN(Session session, open_session(source.files, arguments.open));

  Output out(STDOUT_FILENO, "standard output");
  const std::unique_ptr<RowSink> writer = find_row_format(arguments.format)->make(out);
  const Result<> ran = session.query(sql, *writer);
  writer->end();
  out.flush();
  if (!ran && out.ok()) return tl::unexpected(ran.error());
  TB_TRY(out.result());
  return kExitFine;
}

}  // namespace

Command query_command() {
  auto arguments = std::make_shared<QueryArguments>();
  return {
      .name = "query",
      .usage = "FILE... [\"SQL\"]",
      .about = "answer SQL about traces",
      .details = kQueryArgumentsHelp,
      .words = {},
      .groups = {{"Options",
                  {{"-f,--format", "FORMAT", "How to print rows.", &arguments->format,
                    row_format_names()},
                   {"--sql-file", "FILE", "Read the SQL from this file; - is standard input.",
                    &arguments->sql_file}}},
                 open_option_group(arguments->open)},
      .examples = {{"tracebraid query phone.pftrace watch.pftrace "
                    "\"SELECT name, count(*) FROM slice GROUP BY name\"",
                    "the slices of two devices, counted together"},
                   {"tracebraid query merged.tar --sql-file report.sql --format csv > report.csv",
                    "SQL from a file, rows for a spreadsheet"},
                   {"echo \"SELECT * FROM thread\" | tracebraid query trace.json",
                    "SQL from standard input"}},
      .run = [arguments](std::span<const std::string> given) { return run(*arguments, given); },
  };
}

}  // namespace tracebraid
