// tracebraid query: SQL in, rows out.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <memory>

#include "base/time_limit.h"
#include "cli/arrow_rows.h"
#include "cli/commands/commands.h"
#include "cli/open.h"
#include "cli/query_arguments.h"
#include "cli/show_rows.h"
#include "cli/stats_text.h"
#include "cli/text_file.h"
#include "engine/connection.h"
#include "engine/sql_error.h"

namespace tracebraid {
namespace {

constexpr std::string_view kDetails =
    "Opens the files as one trace and runs the SQL, which may be several statements separated by "
    "';'. Prints every result set in order, separated by empty lines.\n\n"
    "The SQL comes from the file that --sql-file names. Without that option the last argument is "
    "the SQL if no file of that name exists and it contains a space, a ';' or a parenthesis; "
    "otherwise all arguments are trace files and the SQL is read from standard input. The file "
    "name '-' reads a trace from standard input.\n\n"
    "On a terminal, tables (table, box) fit its width: long columns are cut, marked by an "
    "ellipsis, and 40 rows are printed. Files and pipes get everything. A running query shows its "
    "rows and its time on a terminal.\n\n"
    "ndjson prints an object for each row, which DuckDB, jq and pandas read; json prints an array "
    "of these objects for each result set. The second of two columns with the same name, such as "
    "ts, becomes ts:2 in both. arrow writes an Arrow IPC stream of one result set to a file or a "
    "pipe, which pyarrow, Polars and DuckDB read.";

// The format that is no text.
constexpr std::string_view kArrow = "arrow";

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names = row_format_names();
  names.push_back(kArrow);
  return names;
}

struct QueryArguments {
  OpenArguments open;
  std::string sql_file;
  std::string format = "table";
  unsigned timeout_s = 0;
  bool no_trace = false;
  unsigned rows = 40;
  bool wide = false;
  bool stats = false;
};

Result<ExitCode> run(const QueryArguments& arguments, std::span<const std::string> given) {
  TB_TRY_ASSIGN(const QuerySource source,
                split_query_arguments(given, arguments.sql_file, isatty(STDIN_FILENO) == 1,
                                      !arguments.no_trace));
  if (arguments.format == kArrow && isatty(STDOUT_FILENO) == 1)
    return fail(ErrorCode::Usage,
                "--format arrow writes bytes, which a terminal cannot show; "
                "redirect standard output to a file or a pipe");
  std::string sql = source.sql;
  if (!source.sql_path.empty()) {
    TB_TRY_ASSIGN(sql, read_text_file(source.sql_path));
  }
  TB_TRY_ASSIGN(const std::shared_ptr<const Trace> trace,
                open_trace(source.files, arguments.open, true));
  TB_TRY_ASSIGN(const std::unique_ptr<TraceConnection> connection, TraceConnection::open(trace));

  const RowDisplay display = {
      .format = find_row_format(arguments.format),
      .is_wide = arguments.wide,
      .most_rows = arguments.rows,
      .all_rows_advice = "--rows 0 prints all, --format csv > FILE saves all",
      .all_columns_advice = "--wide prints all",
      .shows_progress = !arguments.open.no_progress,
  };
  Output out(STDOUT_FILENO, "standard output");
  QueryStats stats;
  if (arguments.stats) connection->set_stats(&stats);
  TimeLimit limit(std::chrono::seconds(arguments.timeout_s), [&] { connection->interrupt(); });
  const Result<> ran = arguments.format == kArrow
                           ? write_arrow_rows(*connection, sql, out)
                           : show_rows(*connection, sql, display, out, STDOUT_FILENO).ran;
  connection->set_stats(nullptr);
  if (arguments.stats) fmt::print(stderr, "{}", stats_text(stats));
  if (!ran && ran.error().code == ErrorCode::Cancelled && limit.passed())
    return fail(ErrorCode::Sql, fmt::format("the query took longer than {} s; raise --timeout",
                                            arguments.timeout_s));
  if (!ran && out.ok()) {
    Error error = error_of_query(ran.error());
    // SQL of a file keeps the layout that other programs of this dialect print.
    if (source.sql_path.empty()) error.message = plain_sql_error(error.message);
    return tl::unexpected(std::move(error));
  }
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
      .details = kDetails,
      .words = {},
      .groups =
          {{"Options",
            {{"-f,--format", "FORMAT", "How to print rows.", &arguments->format, format_names()},
             {"--sql-file", "FILE", "Read the SQL from this file; - is standard input.",
              &arguments->sql_file},
             {"--no-trace", "", "Run the SQL on empty tables, to try modules and expressions.",
              &arguments->no_trace},
             {"--rows", "N",
              "Print at most this many rows of each table on a terminal; 0 prints all.",
              &arguments->rows},
             {"--wide", "",
              "Print tables wider than the terminal instead of cutting their columns.",
              &arguments->wide},
             {"--stats", "",
              "Print what each statement read to standard error: rows scanned, the index used and "
              "the time of each operator.",
              &arguments->stats},
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
