// tracebraid manifest: writes a template of a merge manifest, and validates a manifest.
#include <fmt/format.h>

#include <memory>

#include "cli/commands/commands.h"
#include "cli/conclude.h"
#include "cli/message.h"
#include "cli/open.h"
#include "cli/terminal.h"
#include "cli/text_file.h"
#include "engine/archive.h"
#include "engine/report.h"

namespace tracebraid {
namespace {

struct ManifestArguments {
  OpenArguments open;
  std::string output;
  bool schema = false, force = false;
};

Result<ExitCode> run_template(const ManifestArguments& arguments,
                              std::span<const std::string> files) {
  TB_TRY(check_output(arguments.output, arguments.force, files, arguments.open));
  std::string text(manifest_schema_json());
  if (!arguments.schema) {
    TB_TRY(require_files(files));
    TB_TRY_ASSIGN(const std::shared_ptr<const Trace> trace, open_trace(files, arguments.open));
    TB_TRY_ASSIGN(text, manifest_template(*trace));
  }
  if (arguments.output.empty())
    TB_TRY(print(text));
  else
    TB_TRY(write_text_file(arguments.output, text));
  return kExitFine;
}

struct ValidateArguments {
  OpenArguments open;
  bool wide = false;
};

Result<ExitCode> run_validate(const ValidateArguments& given,
                              std::span<const std::string> arguments) {
  if (arguments.empty()) return fail(ErrorCode::Usage, "no manifest given");
  const std::string& path = arguments[0];
  TB_TRY_ASSIGN(const std::string text, read_text_file(path));
  const Result<ManifestSummary> manifest = validate_manifest(text);
  if (!manifest) {
    print_error(fmt::format("{}: {}", path, manifest.error().message));
    return kExitTrouble;
  }
  if (arguments.size() == 1) {
    for (const std::string& warning : manifest->warnings)
      print_warning(fmt::format("{}: {}", path, warning));
    const bool strict_trouble = given.open.options.trace.strict && !manifest->warnings.empty();
    TB_TRY(print(fmt::format("{}: {} files, valid\n", path, manifest->files)));
    return strict_trouble ? kExitTrouble : kExitFine;
  }
  OpenArguments open = given.open;
  open.options.trace.manifest = path;
  open.options.trace.reports_losses = true;
  open.leaves_void_statements = true;
  const Result<std::shared_ptr<const Trace>> opened = open_trace(arguments.subspan(1), open);
  if (!opened && opened.error().code == ErrorCode::BadManifest) {
    print_error(fmt::format("{}: {}", path, opened.error().message));
    return kExitTrouble;
  }
  if (!opened) return tl::unexpected(opened.error());
  TB_TRY_ASSIGN(const CheckReport report, check_report(**opened));
  TB_TRY(print(report_text(report, report_width(given.wide))));
  const Verdict found = verdict(report, given.open.options.trace.strict_all);
  for (const std::string& statement : found.void_statements) print_error(statement);
  const ExitCode code = conclude(found, given.open.options.trace.strict);
  return found.void_statements.empty() ? code : kExitTrouble;
}

}  // namespace

Command manifest_command() {
  auto arguments = std::make_shared<ManifestArguments>();
  return {
      .name = "manifest",
      .usage = "FILE...",
      .about = "write a template of a merge manifest",
      .details =
          "The template names each input file, gives each a machine of its own, and relates "
          "files without a shared clock to the first file that has one. Edit names, clocks and "
          "offset_ns, then run 'tracebraid manifest validate' and 'tracebraid merge'.",
      .groups = {{"Options",
                  {{"-o,--output", "FILE", "Write to this file instead of standard output.",
                    &arguments->output},
                   {"--force", "", "Replace an existing file, except an input.", &arguments->force},
                   {"--schema", "", "Print the JSON Schema of manifests instead.",
                    &arguments->schema}}},
                 open_option_group(arguments->open)},
      .examples = {{"tracebraid manifest phone.pftrace app.json > merge.json",
                    "a template for two files"},
                   {"tracebraid manifest --schema > manifest.schema.json",
                    "a schema for editors that complete and check JSON"}},
      .run = [arguments](
                 std::span<const std::string> files) { return run_template(*arguments, files); },
  };
}

Command manifest_validate_command() {
  auto arguments = std::make_shared<ValidateArguments>();
  return {
      .name = "manifest validate",
      .usage = "MANIFEST [FILE...]",
      .about = "check a merge manifest, alone or with its files",
      .details =
          "Checks the manifest against every rule. With files it also checks the rules that "
          "concern them, and prints the report of 'tracebraid check'. The exit status is 1 if "
          "the manifest is invalid, or relates a clock that its file does not have or that no "
          "event needs; with --strict also if anything was dropped, guessed, ambiguous or "
          "ignored.",
      .groups = {{"Options",
                  {{"--wide", "",
                    "Print tables wider than the terminal instead of cutting their columns.",
                    &arguments->wide}}},
                 open_option_group(arguments->open)},
      .examples = {{"tracebraid manifest validate merge.json", "the manifest alone"},
                   {"tracebraid manifest validate merge.json phone.pftrace app.json",
                    "the manifest with its files"}},
      .run = [arguments](
                 std::span<const std::string> given) { return run_validate(*arguments, given); },
  };
}

}  // namespace tracebraid
