// tracebraid manifest: a merge manifest to start from, and the check of one.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/message.h"
#include "cli/open.h"
#include "cli/text_file.h"
#include "clock/clock_key.h"
#include "export/rows/output.h"
#include "manifest/manifest.h"
#include "report/check_report.h"
#include "report/labels.h"

namespace tracebraid {
namespace {

struct ManifestArguments {
  OpenArguments open;
  std::string output;
  bool schema = false;
};

// Machines that events or clocks of the file belong to, by their embedded ids,
// and whether any of its clocks is one that other files may share.
void add_placements(const Store& store, uint32_t file, TemplateFile& entry) {
  const PlacementTable& table = store.placements;
  for (size_t row = 0; row < table.rows(); ++row) {
    if (table.trace_id[row].row != file) continue;
    if (const uint32_t machine = table.machine_id[row].row; machine < store.machines.rows()) {
      const auto raw_id = static_cast<uint64_t>(store.machines.raw_id[machine]);
      if (std::ranges::find(entry.machines, raw_id) == entry.machines.end())
        entry.machines.push_back(raw_id);
    }
    if (const uint32_t clock = table.clock_id[row].row; clock < store.clocks.rows())
      entry.has_clock |= store.clocks.domain[clock] != domain::kPrivate;
  }
}

// The files that a manifest can name: those that were read, under their names
// in the archive.
std::vector<TemplateFile> template_files(const Store& store) {
  std::vector<TemplateFile> files;
  for (uint32_t row = 0; row < store.files.rows(); ++row) {
    const std::string_view type = text_of(store, store.files.trace_type[row]);
    const bool is_trace = store.files.is_container[row] == 0 && type != "perfetto_manifest" &&
                          value_of(store.files.processing_order[row]).has_value();
    if (!is_trace) continue;
    std::string name(text_of(store, store.files.name[row]));
    if (name.empty()) {
      const std::string path = file_label(store, {row});
      name = path.substr(path.rfind('/') + 1);
    }
    TemplateFile entry{.path = std::move(name), .machines = {}, .has_clock = false};
    add_placements(store, row, entry);
    files.push_back(std::move(entry));
  }
  return files;
}

Result<ExitCode> run_template(const ManifestArguments& arguments,
                              std::span<const std::string> files) {
  std::string text(manifest_schema());
  if (!arguments.schema) {
    TB_TRY(require_files(files));
    TB_TRY_ASSIGN(const Session& session, open_session(files, arguments.open));
    text = write_manifest(manifest_template(template_files(session.store())));
  }
  if (arguments.output.empty())
    TB_TRY(print(text));
  else
    TB_TRY(write_text_file(arguments.output, text));
  return kExitFine;
}

Result<ExitCode> run_validate(const OpenArguments& given, std::span<const std::string> arguments) {
  if (arguments.empty()) return fail(ErrorCode::Usage, "no manifest given");
  const std::string& path = arguments[0];
  TB_TRY_ASSIGN(const std::string text, read_text_file(path));
  std::vector<std::string> warnings;
  const Result<Manifest> manifest = parse_manifest(text, warnings);
  if (!manifest) {
    print_error(fmt::format("{}: {}", path, manifest.error().message));
    return kExitTrouble;
  }
  if (arguments.size() == 1) {
    for (const std::string& warning : warnings) print_warning(fmt::format("{}: {}", path, warning));
    const bool strict_trouble = given.strict && !warnings.empty();
    TB_TRY(print(fmt::format("{}: {} files, valid\n", path, manifest->files.size())));
    return strict_trouble ? kExitTrouble : kExitFine;
  }
  OpenArguments open = given;
  open.manifest = path;
  const Result<std::reference_wrapper<Session>> opened = open_session(arguments.subspan(1), open);
  if (!opened && opened.error().code == ErrorCode::BadManifest) {
    print_error(fmt::format("{}: {}", path, opened.error().message));
    return kExitTrouble;
  }
  if (!opened) return tl::unexpected(opened.error());
  const Session& session = *opened;
  const CheckReport report = check_report(session.store(), open_options(open).merge,
                                          session.problems(), session.not_imported());
  TB_TRY(print(report_text(report)));
  return given.strict && !troubles(report).empty() ? kExitTrouble : kExitFine;
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
  auto arguments = std::make_shared<OpenArguments>();
  return {
      .name = "manifest validate",
      .usage = "MANIFEST [FILE...]",
      .about = "check a merge manifest, alone or with its files",
      .details =
          "Checks the manifest against every rule. With files it also checks the rules that "
          "concern them, and prints the report of 'tracebraid check'. The exit status is 1 if "
          "the manifest is invalid, and with --strict also if anything was dropped, guessed, "
          "ambiguous or ignored.",
      .groups = {open_option_group(*arguments)},
      .examples = {{"tracebraid manifest validate merge.json", "the manifest alone"},
                   {"tracebraid manifest validate merge.json phone.pftrace app.json",
                    "the manifest with its files"}},
      .run = [arguments](
                 std::span<const std::string> given) { return run_validate(*arguments, given); },
  };
}

}  // namespace tracebraid
