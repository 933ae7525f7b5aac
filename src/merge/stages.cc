#include "merge/stages.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "merge/manifest_effect.h"
#include "merge/manifests.h"
#include "merge/reading_losses.h"

namespace tracebraid {
namespace {

// A sole input has no name in the tables. The manifest of --manifest names it by its base name,
// except an archive, whose members it names.
void name_sole_input(const std::vector<TraceFile>& files, std::vector<std::string>& paths) {
  const TraceFile& first = files.front();
  const bool is_archive =
      first.container == ContainerKind::Zip || first.container == ContainerKind::Tar;
  if (!first.name && !is_archive) paths.front() = first.path.substr(first.path.rfind('/') + 1);
}

}  // namespace

std::vector<FileToLocate> files_to_locate(std::span<const uint32_t> order,
                                          const std::vector<TraceFile>& files,
                                          bool has_outer_manifest) {
  std::vector<FileToLocate> all;
  std::vector<std::string> paths = manifest_paths(files);
  if (has_outer_manifest && !files.empty()) name_sole_input(files, paths);
  std::vector<uint32_t> rows(order.begin(), order.end());
  // Files that were not read come last, because a manifest may name them.
  for (uint32_t row = 0; row < files.size(); ++row)
    if (!files[row].processing_order) rows.push_back(row);
  for (const uint32_t row : rows) {
    const TraceFile& file = files[row];
    FileToLocate entry{.file = FileId{row},
                       .parent = file.parent ? FileId{*file.parent} : FileId{},
                       .name = file.name,
                       .manifest_path = std::move(paths[row]),
                       .is_container = file.is_container() || file.is_manifest,
                       .is_manifest = file.is_manifest,
                       .is_bugreport = file.is_bugreport,
                       .format = file.format};
    for (const EventBatch& chunk : file.chunks) entry.chunks.push_back(&chunk);
    all.push_back(std::move(entry));
  }
  return all;
}

std::vector<NotImportedOfFile> not_imported(std::span<const PlacedBatch> batches) {
  std::vector<NotImportedOfFile> all;
  for (const PlacedBatch& from : batches)
    for (const NotImported& row : from.batch.not_imported)
      all.push_back({from.file.row, row.what, row.count, row.bytes});
  return all;
}

JoinFlows join_flows(const MergeOptions& options, const Manifest& manifest) {
  return options.join_flows.value_or(manifest.join_flows.value_or(JoinFlows::Auto));
}

LocateOptions locate_options(const MergeOptions& options, const Manifest& manifest) {
  return {.model = options.clock_model.value_or(manifest.clock_model.value_or(ClockModel::Linear)),
          .sync = options.sync,
          .align = options.align.value_or(manifest.align.value_or(AlignOptions{})),
          .files_choose_kinds = !options.align,
          .join_flows = join_flows(options, manifest),
          .excluded = options.excluded,
          .strict = options.strict};
}

Result<> check_manifest_effect(const Manifest& manifest, const MergeOptions& options,
                               std::span<const TraceFile> files, const Located& located,
                               std::span<const PlacedBatch> batches,
                               std::span<const std::vector<PlaceCount>> counts,
                               std::vector<Problem>& problems) {
  std::vector<std::string> paths;  // of the manifest of each entry
  for (const FileEntry& entry : manifest.files)
    paths.push_back(entry.manifest ? files[entry.manifest.row].path : options.manifest_path);
  for (Problem& problem : void_statements(manifest, located, batches, counts, paths)) {
    if (options.strict) return tl::unexpected(std::move(problem.error).within(problem.path));
    problems.push_back(std::move(problem));
  }
  return {};
}

void insert_report(PlacementReport from, size_t at, PlacementReport& to) {
  std::ranges::move(from.bumps, std::back_inserter(to.bumps));
  to.logs.insert(to.logs.begin() + static_cast<ptrdiff_t>(at),
                 std::make_move_iterator(from.logs.begin()),
                 std::make_move_iterator(from.logs.end()));
}

Result<> gather_stage_losses(const PlacementReport& report, const MergeOptions& options,
                             std::span<const TraceFile> files, std::vector<Problem>& problems) {
  const Repairs repairs = options.strict_all ? Repairs::All : Repairs::None;
  for (LossWarning& loss : stage_losses(report.bumps, report.logs, repairs)) {
    std::string path = loss.file.row < files.size() ? files[loss.file.row].path : "";
    if (!options.reports_losses && is_refused(loss, options))
      return tl::unexpected(std::move(loss.error).within(path));
    problems.push_back({std::move(path), std::move(loss.error), loss.level});
  }
  return {};
}

}  // namespace tracebraid
