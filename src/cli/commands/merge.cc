// tracebraid merge: traces and manifest in one archive.
#include <fmt/format.h>

#include <memory>

#include "cli/commands/commands.h"
#include "cli/message.h"
#include "cli/open.h"
#include "cli/text_file.h"
#include "engine/archive.h"
#include "engine/report.h"

namespace tracebraid {
namespace {

struct MergeArguments {
  OpenArguments open;
  std::string output;
  bool no_validate = false;
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
  TB_TRY(print(report_text(report)));
  const int64_t dropped = would_be_dropped(report);
  if (dropped == 0) {
    TB_TRY(print("\nValidation: all traces line up on the shared timeline.\n"));
    return kExitFine;
  }
  const std::string message = fmt::format(
      "{} events would be dropped when this archive is opened: they cannot be placed on "
      "the shared timeline. Adjust the clocks in the manifest.",
      dropped);
  if (!arguments.open.options.trace.strict) {
    print_warning(message);
    return kExitFine;
  }
  print_error(message);
  return kExitTrouble;
}

Result<ExitCode> run(const MergeArguments& arguments, std::span<const std::string> inputs) {
  if (inputs.empty())
    return fail(ErrorCode::Usage, "merge: at least one input trace file is required.");
  if (arguments.output.empty())
    return fail(ErrorCode::Usage, "merge: an output path is required (-o FILE).");
  TB_TRY_ASSIGN(const std::optional<std::string> manifest,
                read_manifest(arguments.open.options.trace.manifest));
  TB_TRY(with_progress(arguments.open, [&](Progress& progress) -> Result<> {
    TB_TRY_ASSIGN(const std::shared_ptr<const Engine> engine, make_engine(arguments.open));
    return merge_archive(*engine, inputs, manifest, arguments.output, progress);
  }));
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
          "each file under its base name. tracebraid, and other programs that know manifests, "
          "open it as one merged trace. A name that ends in .zip gives a ZIP, any other a "
          "TAR.\n\n"
          "Then the archive is opened and the report of 'tracebraid check' is printed. If events "
          "cannot be placed on the timeline, that is a warning, or exit status 1 with --strict; "
          "the archive is kept either way.",
      .groups = {{"Options",
                  {{"-o,--output", "FILE", "Write the archive to this file.", &arguments->output},
                   {"--no-validate", "", "Do not open the archive afterwards.",
                    &arguments->no_validate}}},
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
