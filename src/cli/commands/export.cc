// tracebraid export: a merged trace as a file for other programs.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/message.h"
#include "cli/open.h"
#include "export/export.h"
#include "report/units.h"

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
  for (const Exporter& exporter : all_exporters())
    names += (names.empty() ? "" : ", ") + std::string(exporter.name);
  return names;
}

// --to says what to write and, given again, until when.
Result<> split_to(ExportArguments& arguments) {
  for (const std::string& value : arguments.to) {
    if (find_exporter(value) != nullptr)
      arguments.kind = value;
    else if (!value.empty() && (value[0] == '@' || (value[0] >= '0' && value[0] <= '9')))
      arguments.request.selection.to = value;
    else
      return fail(ErrorCode::Usage, fmt::format("--to {}: neither a kind of export ({}) nor a time",
                                                value, names_of_exporters()));
  }
  return {};
}

// What can be said before anything is read.
Result<> check(const ExportArguments& arguments) {
  const ExportRequest& request = arguments.request;
  if (arguments.kind.empty())
    return fail(ErrorCode::Usage, "--to is needed: one of " + names_of_exporters());
  const bool has_folders = arguments.kind == "parquet" || arguments.kind == "arrow";
  if (!arguments.partition.empty() && !has_folders)
    return fail(ErrorCode::Usage, "--partition goes with --to parquet and --to arrow");
  if (!request.query.empty() && !request.tables.empty())
    return fail(ErrorCode::Usage, "--table and --query do not go together: one or the other");
  if (request.path.empty()) return fail(ErrorCode::Usage, "-o is needed: where to write");
  if (request.path == "-")
    return fail(ErrorCode::Usage,
                "-o -: exports are files; 'tracebraid query' writes rows to standard output");
  return {};
}

Result<ExitCode> run(ExportArguments& arguments, std::span<const std::string> files) {
  TB_TRY(require_files(files));
  TB_TRY(split_to(arguments));
  TB_TRY(check(arguments));
  arguments.request.by_machine = arguments.partition == "machine";
  TB_TRY_ASSIGN(Session & session, open_session(files, arguments.open));
  ExportReport report;
  TB_TRY(with_progress(arguments.open, [&](Progress& progress) -> Result<> {
    TB_TRY_ASSIGN(report,
                  find_exporter(arguments.kind)->write(session, arguments.request, progress));
    return {};
  }));
  for (const std::string& note : report.notes) print_note(note);
  if (!arguments.open.quiet)
    print_note(fmt::format("wrote {}: {} {}, {}", arguments.request.path,
                           count_text(static_cast<int64_t>(report.rows)),
                           report.rows == 1 ? "row" : "rows", bytes_text(report.bytes)));
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
          "Kinds: perfetto is one protobuf trace of all machines and files, on one timeline; braid "
          "our own file, which opens at once; json one Trace Event JSON; sqlite a database file "
          "with every table and view; csv, tsv, jsonl, parquet and arrow a folder with a file for "
          "each table, or, "
          "of one table or a query, a single file.\n"
          "\n"
          "Times of --from and --to: 12s, 3.5ms, 20us, 1500ns count from the start of the trace, "
          "@1500 is trace time in nanoseconds, 2026-11-20T12:03:04.5Z the wall clock. A slice is "
          "taken when a part of it is in the window.\n"
          "\n"
          "The output appears when it is whole; an interrupted export leaves nothing behind.",
      .groups =
          {{"Options",
            {{"--to", "KIND|TIME",
              "What to write; given a time, the end of what is taken. Both may be given.",
              &arguments->to},
             {"-o,--output", "PATH", "Write here.", &arguments->request.path},
             {"--from", "TIME", "Take what is at or after this moment.", &selection.from},
             {"--machine", "NAME", "Take this machine (again for more).", &selection.machines},
             {"--partition",
              "BY",
              "Of parquet and arrow: files of each machine in their own folder.",
              &arguments->partition,
              {"machine"}},
             {"--clock", "NAME",
              "Write times on this clock, REALTIME for one, of the machine that --machine names or "
              "else of the timeline's.",
              &selection.clock},
             {"--process", "NAME|PID", "Take this process (again for more).", &selection.processes},
             {"--table", "NAME", "Take this table (again for more); not of perfetto, json, braid.",
              &arguments->request.tables},
             {"--query", "SQL", "Take the rows of this query; not of perfetto, json, braid.",
              &arguments->request.query}}},
           open_option_group(arguments->open)},
      .examples =
          {{"tracebraid export phone.pftrace watch.pftrace --to perfetto -o both.pftrace",
            "two devices in one file for a trace viewer"},
           {"tracebraid export traces/ --to braid -o all.braid",
            "to ask about them again and again"},
           {"tracebraid export merged.tar --to sqlite -o merged.db", "for any SQLite tool"},
           {"tracebraid export t.json --to csv --table slice --from 2s --to 3s -o slice.csv",
            "the slices of one second"}},
      .run = [arguments](std::span<const std::string> files) { return run(*arguments, files); },
  };
}

}  // namespace tracebraid
