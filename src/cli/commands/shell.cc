// tracebraid shell: interactive SQL.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "cli/commands/commands.h"
#include "cli/open.h"
#include "cli/shell/shell.h"

namespace tracebraid {
namespace {

Result<ExitCode> run(const OpenArguments& arguments, std::span<const std::string> files) {
  TB_TRY_ASSIGN(const std::shared_ptr<const Trace> trace, open_trace(files, arguments, true));
  TB_TRY_ASSIGN(const std::unique_ptr<TraceConnection> connection, TraceConnection::open(trace));
  if (isatty(STDIN_FILENO) == 1) {
    TB_TRY_ASSIGN(const std::vector<RelationInfo> relations, connection->relations());
    fmt::print("{} tables and views. SQL ends with ';'; .help lists commands.\n", relations.size());
  }
  return run_shell(*connection);
}

}  // namespace

Command shell_command() {
  auto arguments = std::make_shared<OpenArguments>();
  return {
      .name = "shell",
      .usage = "[FILE...]",
      .about = "run SQL interactively",
      .details =
          "Opens the files once, or empty tables without files, and runs SQL as you enter it, with "
          "history and with completion "
          "of keywords, tables and columns by the tab key. A statement ends with ';' and may "
          "take several lines. Ctrl-C stops a running query. Lines that begin with a dot are "
          "commands of the shell, such as .tables, .schema, .mode and .timer; .help lists them. "
          "In a pipe there is no prompt, and the exit status is 4 if a statement failed.",
      .groups = {open_option_group(*arguments)},
      .examples = {{"tracebraid shell merged.tar", "query a merged trace"},
                   {"tracebraid shell", "try SQL and modules without a trace"},
                   {"tracebraid shell trace.json < report.sql", "run a script with dot commands"}},
      .run = [arguments](std::span<const std::string> files) { return run(*arguments, files); },
  };
}

}  // namespace tracebraid
