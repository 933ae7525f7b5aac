#include "merge/merge.h"

#include <chrono>
#include <utility>

#include "assemble/assemble.h"
#include "manifest/manifest.h"
#include "merge/align/causality.h"
#include "merge/diagnostics.h"
#include "merge/facts.h"
#include "merge/locate/locate.h"
#include "merge/manifests.h"
#include "merge/place/batches.h"
#include "merge/place/early_ftrace.h"
#include "merge/place/segments.h"
#include "merge/reading.h"
#include "merge/report.h"
#include "merge/stages.h"
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

AssembleOptions assemble_options(const MergeOptions& options, const Manifest& manifest,
                                 Progress& progress) {
  return {.join_flows = join_flows(options, manifest),
          .lenient_ends = options.lenient_ends,
          .progress = &progress};
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
  merged.inner_manifest = std::move(inputs.inner_manifest);
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
  divide_by_segments(batches, located);
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
