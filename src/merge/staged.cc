#include "merge/staged.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "event/batch_memory.h"
#include "merge/align/kept_content.h"
#include "merge/facts.h"
#include "merge/locate/batch_summary.h"
#include "merge/locate/locate.h"
#include "merge/locate/machines.h"
#include "merge/manifests.h"
#include "merge/place/packed_readings.h"
#include "merge/place/row_span.h"
#include "merge/reading.h"
#include "merge/report.h"
#include "merge/stages.h"

namespace tracebraid {
namespace {

// Gives each machine id of each file a machine of its own.
MachineRegistry raw_machines(std::span<const FileToLocate> files) {
  MachineRegistry registry;
  uint32_t machines = 0;
  for (const FileToLocate& file : files) {
    FileMachines& of_file = registry.files.emplace_back();
    of_file.base = MachineId{machines++};
    for (const EventBatch* chunk : file.chunks)
      for (const uint64_t raw_id : chunk->machines)
        if (of_file.by_raw_id.try_emplace(raw_id, MachineId{machines}).second) ++machines;
  }
  return registry;
}

align::KeptContent keep_content(std::span<const FileToLocate> files) {
  const MachineRegistry registry = raw_machines(files);
  return {files, make_trackers(files, registry)};
}

// Moves what locate() and reports read besides events.
EventBatch without_events(EventBatch from) {
  EventBatch kept;
  kept.strings = std::move(from.strings);
  kept.machines = std::move(from.machines);
  kept.clocks = std::move(from.clocks);
  kept.timed_metadata = std::move(from.timed_metadata);
  kept.snapshots = std::move(from.snapshots);
  kept.readings = std::move(from.readings);
  kept.sync_markers = std::move(from.sync_markers);
  kept.clock_domains = std::move(from.clock_domains);
  kept.machine_facts = std::move(from.machine_facts);
  kept.stats = std::move(from.stats);
  kept.log = std::move(from.log);
  kept.not_imported = std::move(from.not_imported);
  kept.trace_uuid = std::move(from.trace_uuid);
  kept.uuid_from_config = from.uuid_from_config;
  kept.host_used = from.host_used;
  kept.host_used_first = from.host_used_first;
  return kept;
}

// What remains of a batch.
struct StagedBatch {
  BatchSummary summary;
  BatchReadings readings;
  std::vector<RowSpan> rows;  // by clock
  // Before placing, which changes those of PlacedBatch::batch.
  std::vector<LogRow> log;
  std::vector<Event> timed_metadata;
};

// Sets the bounds of the trace. That of a single moment ends 1 ns later.
void set_bounds(const TraceBounds& bounds, Store& store) {
  store.trace_start = bounds.start;
  store.trace_end = bounds.end;
  if (bounds.start == bounds.end && bounds.end < std::numeric_limits<int64_t>::max())
    ++store.trace_end;
}

// Returns the scopes whose stats are not all zero. Reports show no zeros, of which thousands of
// files have millions.
std::vector<Scope> scopes_with_counts(const Located& located, std::span<const StatBump> bumps) {
  std::set<Scope> counted;
  for (const StatBump& bump : bumps) counted.insert({bump.file, bump.machine});
  std::vector<Scope> scopes;
  for (const Scope& scope : located.scopes)
    if (counted.contains(scope)) scopes.push_back(scope);
  return scopes;
}

// The buckets of a window of time.
class Buckets {
 public:
  Buckets(int64_t from, int64_t to, uint32_t count)
      : from_(from),
        to_(to),
        length_(static_cast<uint64_t>(to) - static_cast<uint64_t>(from)),
        count_(count),
        per_ns_(count / static_cast<double>(length_)) {}

  bool has(int64_t ts) const { return ts >= from_ && ts < to_; }
  // Requires: has(ts).
  uint32_t of(int64_t ts) const {
    const uint64_t into = static_cast<uint64_t>(ts) - static_cast<uint64_t>(from_);
    auto bucket = std::min(static_cast<uint32_t>(static_cast<double>(into) * per_ns_), count_ - 1);
    while (begin(bucket) > into) --bucket;
    while (bucket + 1 < count_ && begin(bucket + 1) <= into) ++bucket;
    return bucket;
  }

 private:
  // Returns the first ns of the bucket, behind the begin of the window.
  uint64_t begin(uint32_t bucket) const {
    using Wide = unsigned __int128;
    return static_cast<uint64_t>((Wide{length_} * bucket + count_ - 1) / count_);
  }

  int64_t from_, to_;
  uint64_t length_;
  uint32_t count_;
  double per_ns_;
};

}  // namespace

struct StagedFiles::State {
  explicit State(MergeOptions with) : options(std::move(with)) {}

  MergeOptions options;
  Inputs inputs;
  std::vector<Problem> problems;     // of reading
  std::vector<PlacedBatch> batches;  // without events
  std::vector<StagedBatch> staged;   // by batch
  std::vector<size_t> first_batch;   // by row of trace_file; of its batches
  std::unique_ptr<align::KeptContent> content;

  // Replaces the events of each file by what stays of them.
  void release_events(Workers& workers);
  std::vector<FileToLocate> files_without_events(bool has_outer_manifest) const;
  // Returns the manifests that apply with `text`, and adds to `warnings` what is ignored of them
  // and the problems of reading.
  Result<std::vector<Manifest>> manifests_with(std::optional<std::string_view> text,
                                               const std::string& path,
                                               std::vector<Problem>& warnings) const;
  // Sets machines, and the times of log rows and metadata.
  void place_rest(size_t batch, const Located& located);
};

void StagedFiles::State::release_events(Workers& workers) {
  {
    const std::vector<FileToLocate> files = files_to_locate(inputs.order, inputs.files, false);
    content = std::make_unique<align::KeptContent>(keep_content(files));
  }
  std::vector<EventBatch*> chunks;
  first_batch.assign(inputs.files.size(), 0);
  for (const uint32_t row : inputs.order) {
    first_batch[row] = batches.size();
    for (EventBatch& chunk : inputs.files[row].chunks) {
      batches.push_back({.file = FileId{row}, .machines = {}, .clock_machines = {}, .batch = {}});
      chunks.push_back(&chunk);
    }
  }
  staged.resize(batches.size());
  workers.run(batches.size(), [&](size_t i) {
    StagedBatch& stays = staged[i];
    stays.summary = summarize(*chunks[i]);
    stays.readings = pack_readings(*chunks[i]);
    stays.rows = row_spans(*chunks[i]);
    PlacedBatch& batch = batches[i];
    batch.batch = without_events(std::exchange(*chunks[i], {}));
    for (const ClockName& clock : batch.batch.clocks) batch.clock_machines.push_back(clock.machine);
    stays.log = batch.batch.log;
    stays.timed_metadata = batch.batch.timed_metadata;
  });
  for (TraceFile& file : inputs.files) file.open = nullptr;
}

std::vector<FileToLocate> StagedFiles::State::files_without_events(bool has_outer_manifest) const {
  std::vector<FileToLocate> files = files_to_locate(inputs.order, inputs.files, has_outer_manifest);
  for (FileToLocate& file : files) {
    for (size_t i = 0; i < file.chunks.size(); ++i) {
      const size_t batch = first_batch[file.file.row] + i;
      file.chunks[i] = &batches[batch].batch;
      file.summaries.push_back(&staged[batch].summary);
    }
  }
  return files;
}

Result<std::vector<Manifest>> StagedFiles::State::manifests_with(
    std::optional<std::string_view> text, const std::string& path,
    std::vector<Problem>& warnings) const {
  std::vector<Manifest> manifests;
  if (text) {
    TB_TRY_ASSIGN(Manifest manifest, parse_manifest(*text, path, warnings));
    manifests.push_back(std::move(manifest));
  }
  std::string_view replaced;  // the path of the manifest that is not read
  for (const Manifest& manifest : inputs.manifests) {
    if (text && manifest.scope.empty()) {
      if (!archive_of(manifest.file.row, inputs.files))
        return fail(ErrorCode::BadManifest, kSecondManifest);
      replaced = inputs.files[manifest.file.row].path;
      continue;
    }
    manifests.push_back(manifest);
  }
  std::ranges::copy_if(problems, std::back_inserter(warnings), [&](const Problem& problem) {
    return replaced.empty() || problem.path != replaced;
  });
  return manifests;
}

void StagedFiles::State::place_rest(size_t batch, const Located& located) {
  PlacedBatch& to = batches[batch];
  to.machines = located.machines[batch];
  const StagedBatch& from = staged[batch];
  if (from.log.empty() && from.timed_metadata.empty()) return;
  to.batch.log = from.log;
  to.batch.timed_metadata = from.timed_metadata;
  Placer placer(located.clocks[batch], located.placement, {.drop_negative = options.drop_negative});
  place_log(placer, to.batch.log);
  std::erase_if(to.batch.timed_metadata, [&](Event& event) {
    return placer.place(event.ts, event.clock, false, [] { return false; }) == Fate::Lost;
  });
}

Result<std::unique_ptr<StagedFiles>> StagedFiles::read(std::span<const TraceInput> inputs,
                                                       const MergeOptions& options,
                                                       Workers& workers, Progress& progress) {
  auto state = std::make_unique<State>(options);
  state->options.manifest_path.clear();
  TB_TRY_ASSIGN(state->inputs, open_inputs(inputs, state->options, progress, state->problems));
  TB_TRY(read_inputs(state->options, workers, progress, state->inputs, state->problems));
  progress.begin("packing readings", 0);
  state->release_events(workers);
  if (progress.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
  std::unique_ptr<StagedFiles> files(new StagedFiles(std::move(state)));
  HeldMemory& held = *files->state_->inputs.staged;
  if (held.is_limited()) {
    held.release(held.bytes());
    held.take(files->memory());
    TB_TRY(held.check());
  }
  return files;
}

StagedFiles::StagedFiles(std::unique_ptr<State> state) : state_(std::move(state)) {}
StagedFiles::~StagedFiles() = default;

Result<PlacedFiles> StagedFiles::place(std::optional<std::string_view> text,
                                       const std::string& path, Workers& workers,
                                       std::span<const ClockPair> excluded) {
  State& state = *state_;
  MergeOptions options = state.options;
  options.manifest_path = text ? path : "";
  options.excluded.assign(excluded.begin(), excluded.end());
  PlacedFiles placed;
  Merged& merged = placed.merged;
  merged.store = std::make_unique<Store>();
  Store& store = *merged.store;
  fill_trace_files(state.inputs.files, store);

  TB_TRY_ASSIGN(std::vector<Manifest> manifests, state.manifests_with(text, path, merged.problems));
  const std::vector<FileToLocate> files = state.files_without_events(text.has_value());
  const Manifest manifest = join_manifests(std::move(manifests), files, merged.problems);
  TB_TRY_ASSIGN(Located located, locate(files, &manifest, locate_options(options, manifest), store,
                                        state.content.get()));
  std::ranges::move(located.warnings, std::back_inserter(merged.problems));

  for (const std::vector<ClockPlace>& clocks : located.clocks)
    for (const ClockPlace& place : clocks)
      placed.needs_order |= place.kind == ClockPlace::Kind::Node &&
                            set_back_clock(located.placement, place.node).has_value();

  const PlacingRules rules{.drop_negative = options.drop_negative};
  std::vector<std::vector<PlaceCount>> counts(state.batches.size());
  workers.run(counts.size(), [&](size_t i) {
    counts[i] = count_places(state.staged[i].readings, located.clocks[i], located.placement, rules);
    state.place_rest(i, located);
  });
  TB_TRY(check_manifest_effect(manifest, options, state.inputs.files, located, state.batches,
                               counts, merged.problems));

  merged.not_imported = not_imported(state.batches);
  PlacementReport report = report_placement(state.batches, counts, located, rules, store);
  const size_t placing_logs = report.logs.size();
  PlacementReport of_readers;
  add_read_report(state.batches, of_readers);
  report_wrong_places(store, merged.problems);
  TB_TRY(gather_stage_losses(report, options, state.inputs.files, merged.problems));
  insert_report(std::move(of_readers), placing_logs, report);
  fill_import_log(report.logs, store);
  fill_stats(scopes_with_counts(located, report.bumps), report.bumps, store);
  std::optional<TraceBounds> bounds;
  for (size_t i = 0; i < counts.size(); ++i)
    include_rows(state.staged[i].rows, located.clocks[i], located.placement, rules, counts[i],
                 bounds);
  if (bounds) set_bounds(*bounds, store);
  placed.clocks = std::move(located.clocks);
  merged.clocks = std::make_shared<const MergedClocks>(
      MergedClocks{std::move(located.graph), std::move(located.placement)});
  return placed;
}

std::vector<Lane> StagedFiles::lanes(const PlacedFiles& placed, std::span<const uint32_t> files,
                                     int64_t from, int64_t to, uint32_t buckets,
                                     Workers& workers) const {
  const State& state = *state_;
  std::vector<std::pair<size_t, size_t>> ranges;  // of batches of one file
  for (size_t first = 0; first < state.batches.size();) {
    size_t end = first + 1;
    const FileId file = state.batches[first].file;
    while (end < state.batches.size() && state.batches[end].file == file) ++end;
    if (files.empty() || std::ranges::find(files, file.row) != files.end())
      ranges.emplace_back(first, end);
    first = end;
  }
  const Buckets window(from, to, buckets);
  std::vector<Lane> lanes(ranges.size());
  workers.run(ranges.size(), [&](size_t i) {
    Lane& lane = lanes[i];
    lane.file = state.batches[ranges[i].first].file.row;
    std::vector<uint32_t> counts(buckets);
    std::vector<int64_t> firsts(buckets);
    bool is_empty = true;
    // Adds events between two times, all in one bucket or outside of the window.
    const auto add = [&](int64_t low, int64_t high, uint32_t events) {
      lane.events += events;
      lane.first_ts = std::min(lane.first_ts.value_or(low), low);
      lane.last_ts = std::max(lane.last_ts.value_or(high), high);
      if (!window.has(low)) return;
      is_empty = false;
      const uint32_t bucket = window.of(low);
      if (counts[bucket] == 0 || low < firsts[bucket]) firsts[bucket] = low;
      counts[bucket] += events;
    };
    for (size_t b = ranges[i].first; b < ranges[i].second; ++b) {
      Placer placer(placed.clocks[b], placed.merged.clocks->placement,
                    {.drop_negative = state.options.drop_negative});
      const BatchReadings& readings = state.staged[b].readings;
      for (uint32_t clock = 0; clock < readings.size(); ++clock) {
        // These events have no times of their own.
        if (placed.clocks[b][clock].kind == ClockPlace::Kind::Latest) continue;
        const auto take_block = [&](const ReadingBlock& block) {
          if (block.timed == 0) return true;
          if (!placer.is_steady(block, clock)) return false;
          const int64_t low = placer.time_in_steady(block.timed_low, clock),
                        high = placer.time_in_steady(block.timed_high, clock);
          const bool is_outside = high < from || low >= to;
          const bool is_in_one =
              window.has(low) && window.has(high) && window.of(low) == window.of(high);
          if (is_outside || is_in_one) add(low, high, block.timed);
          return is_outside || is_in_one;
        };
        readings[clock].for_each(take_block, [&](int64_t ticks, bool is_timed, bool is_track) {
          if (is_timed && placer.place(ticks, clock, true, [&] { return is_track; }) == Fate::Kept)
            add(ticks, ticks, 1);
        });
      }
    }
    if (is_empty) return;
    for (uint32_t bucket = 0; bucket < buckets; ++bucket)
      if (counts[bucket] > 0) lane.firsts.emplace_back(bucket, firsts[bucket]);
    lane.counts = std::move(counts);
  });
  return lanes;
}

std::optional<NearestEvent> StagedFiles::nearest(const PlacedFiles& placed, uint32_t file,
                                                 int64_t ts, int64_t reach_ns) const {
  const State& state = *state_;
  std::optional<NearestEvent> best;
  uint64_t least = static_cast<uint64_t>(reach_ns) + 1;
  const auto distance = [&](int64_t at) {
    const auto [low, high] = std::minmax(at, ts);
    return static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  };
  for (size_t b = 0; b < state.batches.size(); ++b) {
    if (state.batches[b].file.row != file) continue;
    Placer placer(placed.clocks[b], placed.merged.clocks->placement,
                  {.drop_negative = state.options.drop_negative});
    const BatchReadings& readings = state.staged[b].readings;
    for (uint32_t clock = 0; clock < readings.size(); ++clock) {
      const ClockPlace& place = placed.clocks[b][clock];
      if (place.kind == ClockPlace::Kind::Latest) continue;
      const auto take_block = [&](const ReadingBlock& block) {
        if (block.timed == 0) return true;
        if (!placer.is_steady(block, clock)) return false;
        const int64_t low = placer.time_in_steady(block.timed_low, clock),
                      high = placer.time_in_steady(block.timed_high, clock);
        return (low > ts && distance(low) >= least) || (high < ts && distance(high) >= least);
      };
      readings[clock].for_each(take_block, [&](int64_t ticks, bool is_timed, bool is_track) {
        int64_t at = ticks;
        if (!is_timed || placer.place(at, clock, true, [&] { return is_track; }) != Fate::Kept ||
            distance(at) >= least)
          return;
        int64_t reading = 0;
        const bool is_node = place.kind == ClockPlace::Kind::Node;
        if (__builtin_sub_overflow(ticks, is_node ? place.zone_ns : 0, &reading) ||
            __builtin_mul_overflow(reading, is_node ? place.tick_ns : 1, &reading))
          return;
        least = distance(at);
        best = {at, reading, is_node ? place.node : ClockId{}};
      });
    }
  }
  return best;
}

std::vector<StatedTime> StagedFiles::stated_times() const {
  std::vector<StatedTime> times;
  for (const PlacedBatch& from : state_->batches) {
    const EventBatch& batch = from.batch;
    for (const Snapshot& snapshot : batch.snapshots) {
      const bool is_date_only = is_date(snapshot.kind);
      const bool is_base =
          snapshot.kind == SnapshotKind::WallClock || snapshot.kind == SnapshotKind::BaseTime;
      if ((!is_date_only && !is_base) || snapshot.count != 2) continue;
      const SnapshotReading &own = batch.readings[snapshot.first],
                            &wall = batch.readings[snapshot.first + 1];
      StatedTime time{.file = from.file.row,
                      .moment = snapshot.kind == SnapshotKind::EndDate
                                    ? StatedTime::Moment::LastEvent
                                    : StatedTime::Moment::FirstEvent,
                      .utc_ns = wall.ticks};
      if (is_base) {
        time.moment = StatedTime::Moment::Reading;
        if (__builtin_mul_overflow(own.ticks, batch.clocks[own.clock].tick_ns, &time.reading_ns))
          continue;
      }
      times.push_back(time);
    }
  }
  return times;
}

std::vector<FileEvidence> StagedFiles::evidence() const {
  struct Found {
    std::map<uint32_t, int64_t> snapshots;  // by domain
    std::set<uint32_t> sequences;
    int64_t sync_markers = 0;
  };
  std::map<uint32_t, Found> by_file;
  for (const PlacedBatch& from : state_->batches) {
    const EventBatch& batch = from.batch;
    if (batch.snapshots.empty() && batch.sync_markers.empty()) continue;
    Found& found = by_file[from.file.row];
    found.sync_markers += static_cast<int64_t>(batch.sync_markers.size());
    for (const Snapshot& snapshot : batch.snapshots) {
      const bool is_read = snapshot.kind == SnapshotKind::Together ||
                           snapshot.kind == SnapshotKind::PingClient ||
                           snapshot.kind == SnapshotKind::PingHost;
      if (!is_read) continue;
      for (uint32_t i = 0; i < snapshot.count; ++i) {
        const ClockName& clock = batch.clocks[batch.readings[snapshot.first + i].clock];
        if (clock.sequence != 0)
          found.sequences.insert(clock.sequence);
        else
          ++found.snapshots[clock.domain];
      }
    }
  }
  std::vector<FileEvidence> all;
  for (const auto& [file, found] : by_file)
    all.push_back({.file = file,
                   .snapshots = {found.snapshots.begin(), found.snapshots.end()},
                   .sequences = static_cast<int64_t>(found.sequences.size()),
                   .sync_markers = found.sync_markers});
  return all;
}

uint64_t StagedFiles::events() const {
  uint64_t count = 0;
  for (const StagedBatch& batch : state_->staged)
    for (const PackedReadings& clock : batch.readings) count += clock.size();
  return count;
}

size_t StagedFiles::memory() const {
  size_t bytes = 0;
  for (const StagedBatch& batch : state_->staged)
    bytes += readings_memory(batch.readings) + rows_memory(batch.rows) +
             batch.summary.switches.size() * sizeof(TaskSwitch);
  for (const PlacedBatch& batch : state_->batches) bytes += batch_memory(batch.batch);
  return bytes;
}

}  // namespace tracebraid
