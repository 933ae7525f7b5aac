// tracebraid info: the content of each file.
#include <memory>

#include "cli/commands/commands.h"
#include "cli/open.h"
#include "cli/terminal.h"
#include "cli/text_file.h"
#include "engine/report.h"

namespace tracebraid {
namespace {

struct InfoArguments {
  OpenArguments open;
  bool json = false, wide = false;
};

Result<ExitCode> run(const InfoArguments& arguments, std::span<const std::string> files) {
  TB_TRY(require_files(files));
  TB_TRY_ASSIGN(const std::shared_ptr<const Trace> trace, open_trace(files, arguments.open));
  TB_TRY_ASSIGN(const std::string text, arguments.json
                                            ? info_json(*trace)
                                            : info_text(*trace, report_width(arguments.wide)));
  TB_TRY(print(text));
  return kExitFine;
}

}  // namespace

Command info_command() {
  auto arguments = std::make_shared<InfoArguments>();
  return {
      .name = "info",
      .usage = "FILE...",
      .about = "show what each file contains",
      .details =
          "Prints for each file its format, the machines and clocks of its events, its time "
          "span, the number of rows, problems, and what was not imported. Rows of tables that "
          "belong to a machine rather than to a file (sched, logs, samples) are counted with its "
          "file, or separately if several files share the machine.",
      .groups = {{"Options",
                  {{"--json", "", "Print JSON, with times in ns.", &arguments->json},
                   {"--wide", "", "Do not wrap lines at the width of the terminal.",
                    &arguments->wide}}},
                 open_option_group(arguments->open)},
      .examples = {{"tracebraid info trace.pftrace", "one file"},
                   {"tracebraid info bugreport.zip", "every trace in an archive"},
                   {"cat trace.json.gz | tracebraid info -", "from standard input"}},
      .run = [arguments](std::span<const std::string> files) { return run(*arguments, files); },
  };
}

}  // namespace tracebraid
