#include "merge/merge.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "assemble/assemble.h"
#include "manifest/manifest.h"
#include "merge/align/causality.h"
#include "merge/diagnostics.h"
#include "merge/facts.h"
#include "merge/locate/locate.h"
#include "merge/manifest_effect.h"
#include "merge/manifests.h"
#include "merge/place/batches.h"
#include "merge/place/early_ftrace.h"
#include "merge/reading.h"
#include "merge/reading_losses.h"
#include "merge/report.h"
#include "tables/store_memory.h"

namespace tracebraid {
namespace {

class StageClock {
 public:
  explicit StageClock(StageTimes& times) : times_(times) {}

  // Ends the stage before and begins this one.
  void begin(const char* stage) {
    end();
    times_.stages.emplace_back(stage, 0);
  }
  void end() {
    const auto now = std::chrono::steady_clock::now();
    if (!times_.stages.empty())
      times_.stages.back().second =
          static_cast<uint64_t>((now - since_) / std::chrono::nanoseconds(1));
    since_ = now;
  }

 private:
  StageTimes& times_;
  std::chrono::steady_clock::time_point since_;
};

// A sole input has no name in the tables. The manifest of --manifest names it by its base name,
// except an archive, whose members it names.
void name_sole_input(const std::vector<TraceFile>& files, std::vector<std::string>& paths) {
  const TraceFile& first = files.front();
  const bool is_archive =
      first.container == ContainerKind::Zip || first.container == ContainerKind::Tar;
  if (!first.name && !is_archive) paths.front() = first.path.substr(first.path.rfind('/') + 1);
}

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

// Returns the options of the caller; the manifest gives those that the caller does not set.
LocateOptions locate_options(const MergeOptions& options, const Manifest& manifest) {
  return {.model = options.clock_model.value_or(manifest.clock_model.value_or(ClockModel::Linear)),
          .sync = options.sync,
          .align = options.align.value_or(manifest.align.value_or(AlignOptions{})),
          .join_flows = join_flows(options, manifest),
          .strict = options.strict};
}

AssembleOptions assemble_options(const MergeOptions& options, const Manifest& manifest,
                                 Progress& progress) {
  return {.join_flows = join_flows(options, manifest),
          .lenient_ends = options.lenient_ends,
          .progress = &progress};
}

// Returns an Error if `strict` and the manifest states a relation that places no event.
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

// Releases the memory of the staged events and counts that of the tables.
Result<std::unique_ptr<HeldMemory>> hold_tables(const MergeOptions& options, HeldMemory& staged,
                                                const Store& store) {
  auto tables = std::make_unique<HeldMemory>(options.memory_limit);
  if (!tables->is_limited()) return tables;
  staged.release(staged.bytes());
  tables->take(store_memory(store));
  TB_TRY(tables->check());
  return tables;
}

// Inserts the logs of readers, which come between those of placing and of assembling.
void insert_report(PlacementReport from, size_t at, PlacementReport& to) {
  std::ranges::move(from.bumps, std::back_inserter(to.bumps));
  to.logs.insert(to.logs.begin() + static_cast<ptrdiff_t>(at),
                 std::make_move_iterator(from.logs.begin()),
                 std::make_move_iterator(from.logs.end()));
}

// Returns the first loss that strict options refuse; otherwise keeps all as problems.
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

Result<Merged> merge_files(std::span<const TraceInput> from, const MergeOptions& options,
                           Workers& workers, Progress& progress) {
  Merged merged;
  merged.store = std::make_unique<Store>();
  Store& store = *merged.store;
  StageClock stage(merged.times);

  // Opens the inputs: undoes archives and compression.
  stage.begin("open");
  TB_TRY_ASSIGN(Inputs inputs, open_inputs(from, options, progress, merged.problems));

  // Reads each file separately.
  stage.begin("read");
  TB_TRY(read_inputs(options, workers, progress, inputs, merged.problems));
  fill_trace_files(inputs.files, store);

  // Decides the machine of each file and the place of each clock, once, with all evidence.
  stage.begin("locate");
  const std::vector<FileToLocate> files =
      files_to_locate(inputs.order, inputs.files, !options.manifest_path.empty());
  const Manifest manifest = join_manifests(std::move(inputs.manifests), files, merged.problems);
  TB_TRY_ASSIGN(Located located,
                locate(files, &manifest, locate_options(options, manifest), store));
  std::ranges::move(located.warnings, std::back_inserter(merged.problems));

  // Joins names and places events. All times from here on are trace times.
  stage.begin("place and sort");
  std::vector<PlacedBatch> batches = take_batches(inputs.order, located, inputs.files);
  const PlacingRules rules{.drop_negative = options.drop_negative};
  TB_TRY_ASSIGN(const PlacedNames placed,
                place_batches(located, rules, workers, progress, store.strings, batches));
  TB_TRY(check_manifest_effect(manifest, options, inputs.files, located, batches, placed.counts,
                               merged.problems));

  // Writes facts and the report, then builds the tables.
  stage.begin("build");
  fill_metadata(inputs.files, batches, input_head(from, inputs.files), store);
  merged.not_imported = not_imported(batches);
  PlacementReport report = report_placement(batches, placed.counts, located, rules, store);
  const size_t placing_logs = report.logs.size();
  PlacementReport of_readers;
  add_read_report(batches, of_readers);
  drop_early_ftrace(store.strings, batches, of_readers.bumps);
  progress.begin("building tables", 0, "events");
  const std::vector<Run> runs = runs_of(batches, options.files.allocator);
  const AssembleReport assembled = assemble_tables(placed.names, batches, runs, workers, store,
                                                   assemble_options(options, manifest, progress));
  add_assemble_report(assembled, report);
  report_wrong_places(store, merged.problems);
  align::fill_causality_violations(located.violations, store);
  TB_TRY(gather_stage_losses(report, options, inputs.files, merged.problems));
  insert_report(std::move(of_readers), placing_logs, report);
  if (progress.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
  TB_TRY_ASSIGN(merged.memory, hold_tables(options, *inputs.staged, store));
  fill_import_log(report.logs, store);
  fill_stats(located.scopes, report.bumps, store);
  fill_diagnostics(batches, report.bumps, located, store);
  merged.clocks = std::make_shared<const MergedClocks>(
      MergedClocks{std::move(located.graph), std::move(located.placement)});
  stage.end();
  return merged;
}

}  // namespace

Result<Merged> merge(std::span<const TraceInput> inputs, const MergeOptions& options,
                     Workers& workers, Progress& progress) {
  Result<Merged> merged = merge_files(inputs, options, workers, progress);
  if (!merged && merged.error().code == ErrorCode::Cancelled) return merged;
  if (std::optional<Error> damage = options.files.damage->find())
    return tl::unexpected(*std::move(damage));
  return merged;
}

}  // namespace tracebraid
