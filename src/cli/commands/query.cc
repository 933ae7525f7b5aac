// tracebraid query: SQL in, rows out.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/interrupt.h"
#include "cli/open.h"
#include "cli/query_arguments.h"
#include "cli/text_file.h"
#include "cli/time_limit.h"
#include "engine/connection.h"
#include "engine/rows.h"

namespace tracebraid {
namespace {

struct QueryArguments {
  OpenArguments open;
  std::string sql_file;
  std::string format = "table";
  unsigned timeout_s = 0;
  bool no_trace = false;
};

Result<ExitCode> run(const QueryArguments& arguments, std::span<const std::string> given) {
  TB_TRY_ASSIGN(const QuerySource source,
                split_query_arguments(given, arguments.sql_file, isatty(STDIN_FILENO) == 1,
                                      !arguments.no_trace));
  std::string sql = source.sql;
  if (!source.sql_path.empty()) {
    TB_TRY_ASSIGN(sql, read_text_file(source.sql_path));
  }
  TB_TRY_ASSIGN(const std::shared_ptr<const Trace> trace,
                open_trace(source.files, arguments.open, true));
  TB_TRY_ASSIGN(const std::unique_ptr<TraceConnection> connection, TraceConnection::open(trace));

  Output out(STDOUT_FILENO, "standard output");
  const std::unique_ptr<BatchSink> writer = find_row_format(arguments.format)->make(out);
  TimeLimit limit(std::chrono::seconds(arguments.timeout_s), [&] { connection->interrupt(); });
  const Result<> ran = [&] {
    const OnInterrupt stop(*connection);
    return connection->run(sql, *writer, text_query_options());
  }();
  writer->end();
  out.flush();
  if (!ran && ran.error().code == ErrorCode::Cancelled && limit.passed())
    return fail(ErrorCode::Sql, fmt::format("the query took longer than {} s; raise --timeout",
                                            arguments.timeout_s));
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
      .about = "run SQL on traces",
      .details = kQueryArgumentsHelp,
      .words = {},
      .groups = {{"Options",
                  {{"-f,--format", "FORMAT", "How to print rows.", &arguments->format,
                    row_format_names()},
                   {"--sql-file", "FILE", "Read the SQL from this file; - is standard input.",
                    &arguments->sql_file},
                   {"--no-trace", "",
                    "Run the SQL on empty tables, to try modules and expressions.",
                    &arguments->no_trace},
                   {"--timeout", "SECONDS",
                    "Stop the SQL after this many seconds, with exit status 4; 0, the default, "
                    "is no limit.",
                    &arguments->timeout_s}}},
                 open_option_group(arguments->open)},
      .examples = {{"tracebraid query phone.pftrace watch.pftrace "
                    "\"SELECT name, count(*) FROM slice GROUP BY name\"",
                    "count the slices of two devices by name"},
                   {"tracebraid query merged.tar --sql-file report.sql --format csv > report.csv",
                    "SQL from a file, rows for a spreadsheet"},
                   {"tracebraid query --no-trace \"SELECT sqrt(2)\"", "SQL without a trace"},
                   {"echo \"SELECT * FROM thread\" | tracebraid query trace.json",
                    "SQL from standard input"}},
      .run = [arguments](std::span<const std::string> given) { return run(*arguments, given); },
  };
}

}  // namespace tracebraid
