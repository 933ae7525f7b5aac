// tracebraid merge: traces and manifest in one archive.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <system_error>

#include "cli/commands/commands.h"
#include "cli/conclude.h"
#include "cli/message.h"
#include "cli/open.h"
#include "cli/terminal.h"
#include "cli/text_file.h"
#include "engine/archive.h"
#include "engine/report.h"
#include "engine/text.h"

namespace tracebraid {
namespace {

struct MergeArguments {
  OpenArguments open;
  std::string output;
  bool no_validate = false, force = false, wide = false;
};

Result<std::optional<std::string>> read_manifest(const std::string& path) {
  if (path.empty()) return std::nullopt;
  Result<std::string> text = read_text_file(path);
  if (text) return std::move(*text);
  return fail(text.error().code, fmt::format("merge: cannot read manifest file '{}'.", path));
}

// Opens the archive as other commands do, and prints the result.
Result<ExitCode> validate(const MergeArguments& arguments) {
  OpenArguments open = arguments.open;
  open.options.trace.manifest.clear();  // it is in the archive
  open.options.trace.reports_losses = true;
  const std::vector<std::string> files = {arguments.output};
  TB_TRY_ASSIGN(const std::shared_ptr<const Trace> trace, open_trace(files, open));
  TB_TRY_ASSIGN(const CheckReport report, check_report(*trace));
  TB_TRY(print(report_text(report, report_width(arguments.wide))));
  const bool strict = arguments.open.options.trace.strict;
  if (const int64_t dropped = would_be_dropped(report); dropped > 0) {
    const std::string message = fmt::format(
        "{} events would be dropped when this archive is opened: they cannot be placed on "
        "the shared timeline. Adjust the clocks in the manifest.",
        dropped);
    if (strict)
      print_error(message);
    else
      print_warning(message);
  }
  return conclude(verdict(report, arguments.open.options.trace.strict_all), strict);
}

Result<ExitCode> run(const MergeArguments& arguments, std::span<const std::string> inputs) {
  if (inputs.empty())
    return fail(ErrorCode::Usage, "merge: at least one input trace file is required.");
  if (arguments.output.empty())
    return fail(ErrorCode::Usage, "merge: an output path is required (-o FILE).");
  TB_TRY(check_output(arguments.output, arguments.force, inputs, arguments.open));
  TB_TRY_ASSIGN(const std::optional<std::string> manifest,
                read_manifest(arguments.open.options.trace.manifest));
  PackedFiles packed;
  const auto start = std::chrono::steady_clock::now();
  TB_TRY(with_progress(arguments.open, [&](Progress& progress) -> Result<> {
    TB_TRY_ASSIGN(const std::shared_ptr<const Engine> engine, make_engine(arguments.open));
    TB_TRY_ASSIGN(
        packed, merge_archive(*engine, inputs, manifest, arguments.open.options.trace.skip_unknown,
                              arguments.output, progress));
    return {};
  }));
  for (const std::string& path : packed.skipped)
    if (!arguments.open.quiet) print_warning(path + ": the file is no trace; it is left out");
  const auto took = std::chrono::steady_clock::now() - start;
  std::error_code failed;
  const uint64_t bytes = std::filesystem::file_size(arguments.output, failed);
  if (!arguments.open.quiet && !failed)
    print_note(fmt::format("wrote {}: {}, {}, in {}", arguments.output,
                           counted(static_cast<int64_t>(packed.traces), "file"), bytes_text(bytes),
                           span_text(std::chrono::nanoseconds(took).count())));
  return arguments.no_validate ? Result<ExitCode>(kExitFine) : validate(arguments);
}

}  // namespace

Command merge_command() {
  auto arguments = std::make_shared<MergeArguments>();
  return {
      .name = "merge",
      .usage = "FILE... -o OUT.tar|OUT.zip",
      .about = "pack traces and a manifest into one archive",
      .details =
          "The archive contains the manifest given by --manifest as perfetto_manifest.json, then "
          "each file under its base name. Files with equal base names keep as many folders of "
          "their paths as distinguish them, and files of a folder their paths in it. tracebraid, "
          "and other programs that know manifests, "
          "open it as one merged trace. A name that ends in .zip gives a ZIP, any other a "
          "TAR.\n\n"
          "Then the archive is opened and the report of 'tracebraid check' is printed, with the "
          "same verdict: with --strict the exit status is 1 unless all traces line up and nothing "
          "was lost. The archive is kept either way.",
      .groups = {{"Options",
                  {{"-o,--output", "FILE", "Write the archive to this file.", &arguments->output},
                   {"--force", "", "Replace an existing file, except an input.", &arguments->force},
                   {"--no-validate", "", "Do not open the archive afterwards.",
                    &arguments->no_validate},
                   {"--wide", "",
                    "Print tables wider than the terminal instead of cutting their columns.",
                    &arguments->wide}}},
                 open_option_group(arguments->open)},
      .examples = {{"tracebraid merge phone.pftrace watch.pftrace app.json --manifest merge.json "
                    "-o merged.tar",
                    "three traces and their manifest"},
                   {"tracebraid merge *.json -o all.zip --strict",
                    "fail if an event would be dropped"}},
      .run = [arguments](std::span<const std::string> inputs) { return run(*arguments, inputs); },
  };
}

}  // namespace tracebraid
