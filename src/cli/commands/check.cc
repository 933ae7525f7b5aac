// tracebraid check: the placement report.
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>

#include "cli/commands/commands.h"
#include "cli/conclude.h"
#include "cli/message.h"
#include "cli/open.h"
#include "cli/terminal.h"
#include "cli/text_file.h"
#include "engine/as_reference.h"
#include "engine/report.h"
#include "engine/rows.h"
#include "engine/text.h"

namespace tracebraid {
namespace {

struct CheckArguments {
  OpenArguments open;
  bool json = false, force = false, as_reference = false, wide = false;
  std::string explain, graph, allow_violations;
};

// Parses "10" or "0.5%".
Result<AllowedViolations> parse_allowed(std::string_view text) {
  AllowedViolations allowed;
  if (text.empty()) return allowed;
  const bool is_share = text.ends_with('%');
  const std::string_view number = text.substr(0, text.size() - (is_share ? 1 : 0));
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  const bool is_whole = is_share || value == std::floor(value);
  const double most = is_share ? 100 : 1e15;
  if (error != std::errc() || end != number.data() + number.size() || !is_whole || !(value >= 0) ||
      value > most)
    return fail(ErrorCode::Usage,
                fmt::format("--allow-violations: '{}' is no number and no percentage", text));
  if (is_share)
    allowed.share = value / 100;
  else
    allowed.count = static_cast<int64_t>(value);
  return allowed;
}

// Writes the format that the end of the name selects: .svg or .dot.
Result<> write_graph(const Trace& trace, const std::string& path) {
  TB_TRY_ASSIGN(const std::string graph,
                path.ends_with(".svg") ? clock_graph_svg(trace) : clock_graph_dot(trace));
  return write_text_file(path, graph);
}

Result<> check_graph_name(const std::string& path) {
  if (path.empty() || path.ends_with(".svg") || path.ends_with(".dot")) return {};
  return fail(ErrorCode::Usage, fmt::format("--graph: '{}' must end in .svg or .dot", path));
}

// Other readers open one file, without our options.
Result<> check_reference_arguments(const CheckArguments& arguments,
                                   std::span<const std::string> files) {
  if (files.size() > 1)
    return fail(ErrorCode::Usage,
                "--as-reference: give one file; 'tracebraid merge' packs several into one");
  if (!arguments.explain.empty() || !arguments.graph.empty())
    return fail(ErrorCode::Usage, "--as-reference: cannot be combined with --explain or --graph");
  if (!arguments.open.options.trace.manifest.empty())
    return fail(ErrorCode::Usage,
                "--as-reference: other readers know no --manifest; pack it with 'tracebraid merge "
                "--manifest'");
  return {};
}

Result<ExitCode> run_as_reference(const CheckArguments& arguments, const std::string& file) {
  TB_TRY_ASSIGN(const std::shared_ptr<const Engine> engine, make_engine(arguments.open));
  const TraceOptions& options = arguments.open.options.trace;
  std::optional<reference::Report> report;
  TB_TRY(with_progress(arguments.open, [&](Progress& progress) -> Result<> {
    const std::vector<TraceInput> inputs = path_inputs({&file, 1});
    TB_TRY_ASSIGN(report, check_as_reference(*engine, inputs.front(), options, progress));
    return {};
  }));
  TB_TRY(print(arguments.json ? reference_json(*report)
                              : reference_text(*report, report_width(arguments.wide))));
  return options.strict && !is_complete(*report) ? kExitTrouble : kExitFine;
}

Result<ExitCode> run(const CheckArguments& arguments, std::span<const std::string> files) {
  TB_TRY(require_files(files));
  if (arguments.as_reference) {
    TB_TRY(check_reference_arguments(arguments, files));
    return run_as_reference(arguments, files.front());
  }
  TB_TRY(check_graph_name(arguments.graph));
  TB_TRY(check_output(arguments.graph, arguments.force, files, arguments.open));
  TB_TRY_ASSIGN(const AllowedViolations allowed, parse_allowed(arguments.allow_violations));
  OpenArguments open = arguments.open;
  open.options.trace.reports_losses = true;
  TB_TRY_ASSIGN(const std::shared_ptr<const Trace> trace, open_trace(files, open));
  TB_TRY_ASSIGN(CheckReport report, check_report(*trace));
  report.allowed_violations = allowed;
  if (!arguments.graph.empty()) TB_TRY(write_graph(*trace, arguments.graph));
  if (!arguments.explain.empty()) {
    TB_TRY_ASSIGN(const std::optional<std::string> story, explain_file(*trace, arguments.explain));
    if (!story)
      return fail(
          ErrorCode::Usage,
          fmt::format("--explain: no input is named '{}'; 'tracebraid check' lists the inputs",
                      arguments.explain));
    TB_TRY(print(printable(*story)));
  } else {
    TB_TRY(print(arguments.json ? report_json(report)
                                : report_text(report, report_width(arguments.wide))));
  }
  return conclude(verdict(report, open.options.trace.strict_all), open.options.trace.strict);
}

}  // namespace

Command check_command() {
  auto arguments = std::make_shared<CheckArguments>();
  return {
      .name = "check",
      .usage = "FILE...",
      .about = "show how each file was placed, and what was lost",
      .details =
          "Prints one row for each file, machine and clock: the evidence that placed it, its "
          "offset to trace time, the bounds of that offset, and how many events were placed and "
          "lost.\n\n"
          "PLACED BY names the weakest evidence on the path to the timeline. From the most to "
          "the least trustworthy: the clock is the timeline; clocks were read together, or two "
          "files recorded the same moments; messages between the machines; the manifest; "
          "wall-clock time of the machines, or the date in a file; a guess. With --strict the "
          "exit status is 1 if an event was dropped, a place is guessed or ambiguous, or an effect "
          "in one file precedes its cause in another by more than the bound of their clocks.\n\n"
          "With --as-reference, prints instead what other programs lose of one file or archive "
          "that you hand on: programs that apply the clock rules of the reference alone. Such a "
          "strict reader refuses a clock that goes back, follows at most 4 snapshots, decides the "
          "place of a machine at its first event, and drops times before 0 and packets without "
          "the state of their sequence. For each machine and clock, the report counts the events "
          "of packets that are lost, and says why; with --strict, the exit status is 1 if there "
          "are any, or if a strict reader refuses the file. In archives, other formats than "
          "Perfetto's are judged by their clock, without counting events.",
      .groups = {{"Options",
                  {{"--json", "", "Print the report as JSON, with times in ns.", &arguments->json},
                   {"--wide", "",
                    "Print tables wider than the terminal instead of cutting their columns.",
                    &arguments->wide},
                   {"--as-reference", "",
                    "Instead of the report, say what a strict reader would lose of FILE, and why.",
                    &arguments->as_reference},
                   {"--explain", "FILE",
                    "Instead of the report, explain in words how this input was placed. Name a "
                    "member of an archive as archive.zip/app.json or app.json.",
                    &arguments->explain},
                   {"--allow-violations", "N",
                    "Let --strict accept so many effects before their causes, such as flows with "
                    "ids that were used twice: a number, or a share of all as 1%.",
                    &arguments->allow_violations},
                   {"--graph", "OUT",
                    "Draw the clocks and their relations to OUT.svg, or to OUT.dot for Graphviz.",
                    &arguments->graph},
                   {"--force", "", "Let --graph replace an existing file, except an input.",
                    &arguments->force}}},
                 open_option_group(arguments->open)},
      .examples = {{"tracebraid check phone.pftrace watch.pftrace app.json",
                    "do the clocks of these three files line up?"},
                   {"tracebraid check --strict --manifest merge.json traces/ > report.txt",
                    "fail a build when an event cannot be placed"},
                   {"tracebraid check merged.tar --explain app.json --graph clocks.svg",
                    "explain the place of one file, and draw all clocks"},
                   {"tracebraid check --as-reference merged.tar",
                    "does the archive open elsewhere without loss?"},
                   {"tracebraid check --json merged.tar | jq .placements", "the report as JSON"}},
      .run = [arguments](std::span<const std::string> files) { return run(*arguments, files); },
  };
}

}  // namespace tracebraid
