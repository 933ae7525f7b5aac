// tracebraid export: a merged trace as a file for other programs.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/message.h"
#include "cli/open.h"
#include "engine/export.h"
#include "engine/text.h"

namespace tracebraid {
namespace {

struct ExportArguments {
  OpenArguments open;
  std::string kind;
  std::vector<std::string> to;  // a kind, a time, or both
  std::string partition;
  ExportRequest request;
};

std::string names_of_exporters() {
  std::string names;
  for (const std::string_view kind : export_kinds())
    names += (names.empty() ? "" : ", ") + std::string(kind);
  return names;
}

// Splits the values of --to into the kind and, if --to was given again, the end of the time window.
Result<> split_to(ExportArguments& arguments) {
  for (const std::string& value : arguments.to) {
    if (std::ranges::find(export_kinds(), value) != export_kinds().end())
      arguments.kind = value;
    else if (!value.empty() && (value[0] == '@' || (value[0] >= '0' && value[0] <= '9')))
      arguments.request.selection.to = value;
    else
      return fail(ErrorCode::Usage, fmt::format("--to {}: neither a kind of export ({}) nor a time",
                                                value, names_of_exporters()));
  }
  return {};
}

// Checks the arguments before any file is read.
Result<> check(const ExportArguments& arguments) {
  const ExportRequest& request = arguments.request;
  if (arguments.kind.empty())
    return fail(ErrorCode::Usage, "missing --to: one of " + names_of_exporters());
  const bool has_folders = arguments.kind == "parquet" || arguments.kind == "arrow";
  if (!arguments.partition.empty() && !has_folders)
    return fail(ErrorCode::Usage, "--partition requires --to parquet or --to arrow");
  if (!request.query.empty() && !request.tables.empty())
    return fail(ErrorCode::Usage, "--table and --query cannot be combined");
  if (request.path.empty())
    return fail(ErrorCode::Usage, "missing -o: the file or folder to write");
  if (request.path == "-")
    return fail(ErrorCode::Usage,
                "-o -: exports are written to files; 'tracebraid query' writes rows to standard "
                "output");
  return {};
}

Result<ExitCode> run(ExportArguments& arguments, std::span<const std::string> files) {
  TB_TRY(require_files(files));
  TB_TRY(split_to(arguments));
  TB_TRY(check(arguments));
  TB_TRY(check_output(arguments.kind, arguments.request, input_files(files, arguments.open)));
  arguments.request.by_machine = arguments.partition == "machine";
  TB_TRY_ASSIGN(const std::shared_ptr<const Trace> trace, open_trace(files, arguments.open));
  ExportReport report;
  const auto start = std::chrono::steady_clock::now();
  const auto stop = std::make_shared<Stop>();
  arguments.request.stop = stop;
  TB_TRY(with_progress(
      arguments.open,
      [&](Progress& progress) -> Result<> {
        TB_TRY_ASSIGN(report, export_trace(trace, arguments.kind, arguments.request, progress));
        return {};
      },
      stop.get()));
  const auto took = std::chrono::steady_clock::now() - start;
  for (const std::string& note : report.notes) print_note(note);
  if (!arguments.open.quiet)
    print_note(fmt::format("wrote {}: {}, {}, in {}", arguments.request.path,
                           counted(static_cast<int64_t>(report.rows), "row"),
                           bytes_text(report.bytes),
                           span_text(std::chrono::nanoseconds(took).count())));
  return kExitFine;
}

}  // namespace

Command export_command() {
  auto arguments = std::make_shared<ExportArguments>();
  SelectionRequest& selection = arguments->request.selection;
  return {
      .name = "export",
      .usage = "FILE... --to KIND -o OUT",
      .about = "write the merged trace for other programs",
      .details =
          "Kinds: perfetto writes one protobuf trace of all machines and files on one timeline; "
          "braid writes a file of tracebraid's own that opens at once; json writes one Trace "
          "Event JSON; sqlite writes a database file with every table and view; csv, tsv, jsonl, "
          "ndjson, parquet and arrow write a folder with one file for each table, or a single file "
          "for "
          "one table or a query.\n\n"
          "Times of --from and --to: 12s, 3.5ms, 20us and 1500ns count from the start of the "
          "trace; @1500 is trace time in nanoseconds; 2026-11-20T12:03:04.5Z is wall-clock time. "
          "A slice is exported when any part of it is in the window.\n\n"
          "The output appears under its name when it is complete; an interrupted export leaves "
          "nothing behind. An existing file is replaced with --force only. A folder must be new, "
          "empty, or hold an earlier export, which is replaced.",
      .groups =
          {{"Options",
            {{"--to",
              "KIND|TIME",
              "What to write (a kind) or the end of the window (a time). Repeat it to give both.",
              &arguments->to,
              {},
              {export_kinds().begin(), export_kinds().end()}},
             {"-o,--output", "PATH", "Write to this file or folder.", &arguments->request.path},
             {"--force", "",
              "Replace an existing file, or write into a folder with other files. An input is "
              "never replaced.",
              &arguments->request.force},
             {"--from", "TIME", "Export only what is at or after this time.", &selection.from},
             {"--machine", "NAME", "Export only this machine. Repeatable.", &selection.machines},
             {"--partition",
              "BY",
              "For parquet and arrow: write the files of each machine to a folder of its own.",
              &arguments->partition,
              {"machine"}},
             {"--clock",
              "NAME",
              "Convert times to this clock, such as REALTIME, of the machine that --machine "
              "names or else of the timeline's machine.",
              &selection.clock,
              {},
              {"REALTIME", "MONOTONIC", "BOOTTIME"}},
             {"--process", "NAME|PID", "Export only this process. Repeatable.",
              &selection.processes},
             {"--table", "NAME",
              "Export only this table. Repeatable; not for perfetto, json and braid.",
              &arguments->request.tables},
             {"--query", "SQL", "Export the rows of this query; not for perfetto, json and braid.",
              &arguments->request.query}}},
           open_option_group(arguments->open)},
      .examples =
          {{"tracebraid export phone.pftrace watch.pftrace --to perfetto -o both.pftrace",
            "two devices in one file for a trace viewer"},
           {"tracebraid export traces/ --to braid -o all.braid", "a file that opens at once"},
           {"tracebraid export merged.tar --to sqlite -o merged.db", "for any SQLite tool"},
           {"tracebraid export t.json --to csv --table slice --from 2s --to 3s -o slice.csv",
            "the slices of one second"}},
      .run = [arguments](std::span<const std::string> files) { return run(*arguments, files); },
  };
}

}  // namespace tracebraid
