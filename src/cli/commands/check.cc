// tracebraid check: the placement report.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "cli/commands/commands.h"
#include "cli/message.h"
#include "cli/open.h"
#include "cli/report/check_report.h"
#include "export/rows/output.h"

namespace tracebraid {
namespace {

struct CheckArguments {
  OpenArguments open;
  bool json = false;
};

Result<ExitCode> run(const CheckArguments& arguments, std::span<const std::string> files) {
  TB_TRY(require_files(files));
  TB_TRY_ASSIGN(const Session session, open_session(files, arguments.open));
  const CheckReport report = check_report(session.store(), open_options(arguments.open).merge,
                                          session.problems(), session.not_imported());
  TB_TRY(print(arguments.json ? report_json(report) : report_text(report)));
  if (!arguments.open.strict) return kExitFine;
  const std::vector<std::string> found = troubles(report);
  for (const std::string& trouble : found) print_error(trouble);
  return found.empty() ? kExitFine : kExitTrouble;
}

}  // namespace

Command check_command() {
  auto arguments = std::make_shared<CheckArguments>();
  return {
      .name = "check",
      .usage = "FILE...",
      .about = "show how each file got onto the timeline, and what was lost",
      .details =
          "One row a file, machine and clock: what placed it, its offset to trace time, within "
          "what "
          "bounds that is known, and how many events were placed and lost.\n"
          "\n"
          "PLACED BY says what the place rests on, from the most to the least trustworthy: it is "
          "the "
          "timeline; clocks were read together; messages between the machines; the manifest; the "
          "wall clock of both machines; a guess. With --strict the exit status is 1 if anything "
          "was "
          "dropped, guessed or ambiguous.",
      .groups = {{"Options",
                  {{"--json", "", "Print JSON: the same facts, times in ns.", &arguments->json}}},
                 open_option_group(arguments->open)},
      .examples = {{"tracebraid check phone.pftrace watch.pftrace app.json",
                    "do the clocks of these three line up?"},
                   {"tracebraid check --strict --manifest merge.json traces/ > report.txt",
                    "fail a build when an event has no place"},
                   {"tracebraid check --json merged.tar | jq .placements",
                    "the same for a program"}},
      .run = [arguments](std::span<const std::string> files) { return run(*arguments, files); },
  };
}

}  // namespace tracebraid
