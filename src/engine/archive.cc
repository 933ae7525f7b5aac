#include "engine/archive.h"

#include <algorithm>
#include <filesystem>

#include "base/boundary.h"
#include "clock/clock_key.h"
#include "container/archive_writer.h"
#include "engine/archive_plan.h"
#include "engine/manifest_path.h"
#include "engine/trace.h"
#include "manifest/manifest.h"
#include "merge/merge.h"
#include "report/labels.h"

namespace tracebraid {
namespace {

// Adds the machines that events or clocks of the file belong to, by their embedded ids, whether any
// of its clocks is one that other files may share, and the clock of most events.
void add_placements(const Store& store, uint32_t file, TemplateFile& entry) {
  const PlacementTable& table = store.placements;
  int64_t most_events = 0;
  for (size_t row = 0; row < table.rows(); ++row) {
    if (table.trace_id[row].row != file) continue;
    uint64_t raw_id = 0;
    if (const uint32_t machine = table.machine_id[row].row; machine < store.machines.rows()) {
      raw_id = static_cast<uint64_t>(store.machines.raw_id[machine]);
      if (std::ranges::find(entry.machines, raw_id) == entry.machines.end())
        entry.machines.push_back(raw_id);
    }
    const uint32_t clock = table.clock_id[row].row;
    if (clock >= store.clocks.rows()) continue;
    const auto domain = static_cast<uint32_t>(store.clocks.domain[clock]);
    entry.has_clock |= domain != domain::kPrivate;
    if (clock_name(domain).empty() || table.placed[row] <= most_events) continue;
    most_events = table.placed[row];
    entry.clock = domain;
    entry.clock_machine = raw_id;
  }
}

// Returns the files that a manifest can name: those that were read, under their names in the
// archive.
std::vector<TemplateFile> template_files(const Store& store) {
  std::vector<TemplateFile> files;
  for (uint32_t row = 0; row < store.files.rows(); ++row) {
    const std::string_view type = text_of(store, store.files.trace_type[row]);
    const bool is_trace = store.files.is_container[row] == 0 && type != "perfetto_manifest" &&
                          value_of(store.files.processing_order[row]).has_value();
    if (!is_trace) continue;
    std::string name = manifest_path(store, row);
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

}  // namespace

Result<PackedFiles> merge_archive(const Engine& engine, std::span<const std::string> inputs,
                                  const std::optional<std::string>& manifest, bool skip_unknown,
                                  const std::string& output, Progress& progress) {
  return at_boundary([&]() -> Result<PackedFiles> {
    PackedFiles packed;
    TB_TRY_ASSIGN(std::vector<ArchiveEntry> entries, plan_archive(inputs, manifest));
    TB_TRY_ASSIGN(packed.skipped, skip_unknown_files(skip_unknown, entries));
    const auto is_trace = [](const ArchiveEntry& entry) { return !entry.bytes.has_value(); };
    packed.traces = static_cast<size_t>(std::ranges::count_if(entries, is_trace));
    if (packed.traces == 0) return fail(ErrorCode::NotFound, "merge: no trace files in the input");
    TB_TRY(write_archive(output, archive_format(output), entries, engine.new_files(), progress));
    return packed;
  });
}

Result<> pack_folder(const Engine& engine, const std::string& folder, const std::string& output,
                     Progress& progress) {
  return at_boundary([&]() -> Result<> {
    std::vector<ArchiveEntry> entries;
    for (const auto& file : std::filesystem::directory_iterator(folder))
      if (file.is_regular_file())
        entries.push_back({.name = file.path().filename(),
                           .path = file.path(),
                           .bytes = std::nullopt,
                           .without_time = true});
    std::ranges::sort(entries, {}, &ArchiveEntry::name);
    return write_archive(output, ArchiveFormat::Tar, entries, engine.new_files(), progress);
  });
}

Result<ManifestSummary> validate_manifest(std::string_view json) {
  return at_boundary([&]() -> Result<ManifestSummary> {
    ManifestSummary summary;
    TB_TRY_ASSIGN(const Manifest manifest, parse_manifest(json, summary.warnings));
    summary.files = manifest.files.size();
    return summary;
  });
}

Result<std::string> manifest_template(const Trace& trace) {
  return at_boundary(trace.broken(), [&]() -> Result<std::string> {
    return write_manifest(manifest_template(template_files(*trace.merged().store)));
  });
}

std::string_view manifest_within(const Trace& trace) { return trace.merged().inner_manifest; }

std::string_view manifest_schema_json() { return manifest_schema(); }

}  // namespace tracebraid
