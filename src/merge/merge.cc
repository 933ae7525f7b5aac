#include "merge/merge.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <numeric>
#include <utility>

#include "assemble/assemble.h"
#include "base/damaged_file.h"
#include "event/stream_rank.h"
#include "manifest/manifest.h"
#include "merge/facts.h"
#include "merge/files.h"
#include "merge/join/join.h"
#include "merge/locate/locate.h"
#include "merge/locate/log_years.h"
#include "merge/manifests.h"
#include "merge/place/early_ftrace.h"
#include "merge/place/place.h"
#include "merge/reading_losses.h"
#include "merge/report.h"
#include "merge/stats.h"

namespace tracebraid {
namespace {

constexpr size_t kUuidBytes = 4096;  // of the input, for its uuid (spec clocks 12.4)

class StageClock {
 public:
  explicit StageClock(StageTimes& times) : times_(times) {}
  // Ends the stage before, and starts this one.
  void begin(const char* stage) {
    const auto now = std::chrono::steady_clock::now();
    if (!times_.stages.empty())
      times_.stages.back().second =
          static_cast<uint64_t>((now - since_) / std::chrono::nanoseconds(1));
    since_ = now;
    times_.stages.emplace_back(stage, 0);
  }

 private:
  StageTimes& times_;
  std::chrono::steady_clock::time_point since_;
};

// Reads the files of `rows`. Each fills its own slot, so the order in which
// threads come to them does not matter.
void read_files(std::span<const uint32_t> rows, const ReadOptions& options, Workers& workers,
                Progress& progress, std::vector<TraceFile>& files) {
  workers.run(rows.size(), [&](size_t i) {
    TraceFile& file = files[rows[i]];
    if (file.format == nullptr || progress.cancelled()) return;
    Result<Input> input = file.open();
    if (!input) {
      file.problems.push_back(std::move(input).error());
      return;
    }
    input->report_to(&progress);
    Pieces pieces(workers);
    if (Result<> done = file.format->read(*input, options, pieces); !done)
      file.problems.push_back(std::move(done).error());
    file.pieces = std::move(pieces).finish();
    file.size = input->offset();
    if (input->problem()) file.problems.push_back(*input->problem());
    if (input->is_cut_short() && !file.pieces.empty())
      EventSink(file.pieces.back()).tally(stats::archive_truncated);
  });
}

// Reads all files, and those found inside them, and so on.
Result<> read_all(const MergeOptions& options, Workers& workers, Progress& progress,
                  std::vector<TraceFile>& files) {
  uint64_t bytes = 0;
  for (const TraceFile& file : files)
    if (file.format != nullptr) bytes += file.size;
  progress.begin("reading", bytes);
  for (uint32_t first = 0; first < files.size();) {
    const auto end = static_cast<uint32_t>(files.size());
    std::vector<uint32_t> rows(end - first);
    std::iota(rows.begin(), rows.end(), first);
    read_files(rows, options.read, workers, progress, files);
    for (uint32_t row = first; row < end; ++row)
      for (EventBatch& piece : files[row].pieces)
        for (Embedded& embedded : std::exchange(piece.embedded, {}))
          TB_TRY(add_embedded(row, std::move(embedded), options.limits, progress, files));
    first = end;
  }
  if (progress.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
  return {};
}

// A file that somebody still writes to was read up to the size it had.
void note_grown_files(std::vector<TraceFile>& files) {
  for (const std::string& path : grown_files())
    for (TraceFile& file : files)
      if (!file.parent && file.path == path)
        file.problems.push_back(
            {ErrorCode::Io,
             "the file grew while it was read; the added bytes were not read. Read it again when "
             "nothing writes to it"});
}

// Under strict the first problem is the outcome; otherwise all are kept. An
// input of which nothing can be read is an error either way. What a reader counted as
// lost is a problem, but the file was read.
Result<> gather_problems(bool strict, std::span<const uint32_t> order,
                         const std::vector<TraceFile>& files, std::vector<Problem>& problems) {
  bool any_read = false;
  for (const TraceFile& file : files) {
    for (const Error& error : file.problems) {
      if (strict) return tl::unexpected(Error(error).within(file.path));
      problems.push_back({file.path, error});
    }
    for (Error& loss : reading_losses(file.pieces)) {
      if (strict) return tl::unexpected(std::move(loss).within(file.path));
      problems.push_back({file.path, std::move(loss)});
    }
    const bool holds_events = std::ranges::any_of(file.pieces, [](const EventBatch& piece) {
      return !piece.untimed.empty() || !piece.streams.empty() || !piece.snapshots.empty();
    });
    any_read |=
        file.is_manifest || (file.format != nullptr && (file.problems.empty() || holds_events));
  }
  if (!any_read && !problems.empty()) {
    Problem& first = problems.front();
    return tl::unexpected(std::move(first.error).within(first.path));
  }
  if (order.empty())
    return fail(ErrorCode::NotFound,
                files.empty() ? "no trace files in the input: the directory holds no files"
                              : "no trace files in the input: every file is empty or not a "
                                "trace");
  return {};
}

std::vector<FileToLocate> files_to_locate(std::span<const uint32_t> order,
                                          const std::vector<TraceFile>& files) {
  std::vector<FileToLocate> all;
  std::vector<std::string> paths = manifest_paths(files);
  std::vector<uint32_t> rows(order.begin(), order.end());
  // Files that were not read come last: a manifest may still name them.
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
    for (const EventBatch& piece : file.pieces) entry.pieces.push_back(&piece);
    all.push_back(std::move(entry));
  }
  return all;
}

// Everything a file said, in reading order, ready to be placed.
std::vector<PlacedBatch> take_batches(std::span<const uint32_t> order, const Located& located,
                                      std::vector<TraceFile>& files) {
  std::vector<PlacedBatch> batches;
  for (const uint32_t row : order) {
    // A piece without events may not have said by which rule its file goes.
    const bool has_rule = std::ranges::any_of(files[row].pieces, [](const EventBatch& piece) {
      return piece.tie_rule != TieRule::FileOrder;
    });
    for (EventBatch& piece : std::exchange(files[row].pieces, {})) {
      if (has_rule) piece.tie_rule = TieRule::TraceEventFormat;
      PlacedBatch placed{.file = FileId{row}, .machines = located.machines[batches.size()]};
      for (const ClockName& clock : piece.clocks) placed.clock_machines.push_back(clock.machine);
      placed.batch = std::move(piece);
      batches.push_back(std::move(placed));
    }
  }
  return batches;
}

// Whether events of the batch take the latest time of other batches of their file.
bool waits_for_others(std::span<const ClockPlace> clocks, const PlacedBatch& from,
                      const std::vector<PlacedBatch>& batches) {
  return std::ranges::any_of(
             clocks, [](const ClockPlace& c) { return c.kind == ClockPlace::Kind::Latest; }) &&
         std::ranges::any_of(batches, [&](const PlacedBatch& other) {
           return other.file == from.file && &other != &from;
         });
}

// As LatestBefore says. The streams of lower segments must be placed and sorted.
int64_t latest_before(uint32_t stream_rank, FileId file, const std::vector<PlacedBatch>& batches) {
  int64_t latest = 0;
  for (const PlacedBatch& from : batches) {
    if (from.file != file) continue;
    for (const Stream& stream : from.batch.streams)
      if (rank_of_segment(stream.rank) == rank_of_segment(stream_rank) &&
          stream.rank < stream_rank && !stream.events.empty())
        latest = std::max(latest, stream.events.back().ts);
  }
  return latest;
}

// A run for each stream, ranked by (file, stream, piece), and one for compact events of each batch,
// whose streams have their ranks among these.
std::vector<Run> runs_of(std::vector<PlacedBatch>& batches) {
  struct Ranked {
    std::tuple<uint32_t, uint64_t, uint32_t> rank;
    const Stream* stream;  // null: of compact events
    uint64_t* sched_rank;
  };
  std::vector<Ranked> all;
  uint32_t file_order = 0;
  for (uint32_t i = 0; i < batches.size(); ++i) {
    if (i > 0 && batches[i].file != batches[i - 1].file) ++file_order;
    EventBatch& batch = batches[i].batch;
    for (const Stream& stream : batch.streams)
      all.push_back({{file_order, stream.rank, i}, &stream, nullptr});
    for (uint64_t& rank : batch.sched_ranks) all.push_back({{file_order, rank, i}, nullptr, &rank});
  }
  std::ranges::sort(all, {}, &Ranked::rank);
  std::vector<Run> runs;
  for (size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].stream == nullptr) {
      *all[rank].sched_rank = rank;
      continue;
    }
    const uint32_t batch = std::get<2>(all[rank].rank);
    // Where ties are reordered more events are looked at together than TimeOrder keeps.
    const bool is_consumed = batches[batch].batch.tie_rule == TieRule::FileOrder;
    const std::vector<Event>& events = all[rank].stream->events;
    runs.push_back({events.data(), events.data() + events.size(), batch, rank, is_consumed});
  }
  for (uint32_t i = 0; i < batches.size(); ++i) {
    const EventBatch& batch = batches[i].batch;
    if (batch.sched.empty()) continue;
    runs.push_back({.at = nullptr,
                    .end = nullptr,
                    .batch = i,
                    .rank = 0,
                    .is_consumed = true,
                    .sched = batch.sched,
                    .facts = batch.sched_facts,
                    .ranks = batch.sched_ranks});
  }
  return runs;
}

std::string input_head(std::span<const std::string> paths, const std::vector<TraceFile>& files) {
  // A pipe has given all it had: opened again, it would wait for more.
  std::error_code failed;
  if (!paths.empty() && std::filesystem::is_regular_file(paths[0], failed)) {
    if (Result<MappedFile> mapped = MappedFile::open(paths[0]))
      return std::string(mapped->bytes().substr(0, kUuidBytes));
  }
  for (const TraceFile& file : files) {
    if (!file.open) continue;
    if (Result<Input> input = file.open()) return std::string(input->peek(kUuidBytes));
  }
  return {};
}

// What the readers counted. A file may be many batches: each has as many rows of the log as all
// may.
void add_read_report(std::span<const PlacedBatch> batches, PlacementReport& report) {
  absl::flat_hash_map<std::pair<uint32_t, StatId>, size_t> logged;
  for (const PlacedBatch& from : batches) {
    for (const StatCount& count : from.batch.stats)
      report.bumps.push_back(
          {count.stat, from.machines[count.machine], from.file, count.index, count.value});
    for (const LogRow& row : from.batch.log) {
      if (++logged[{from.file.row, row.stat}] > kMaxLogRows) continue;
      report.logs.push_back({.stat = row.stat,
                             .file = from.file,
                             .byte_offset = row.byte_offset == kNoOffset
                                                ? OptInt{}
                                                : OptInt{static_cast<int64_t>(row.byte_offset)},
                             .ts = {row.ts},  // kUnset is NULL
                             .text = row.text});
    }
    for (const Event& event : from.batch.timed_metadata)
      if (event.value == 3)
        report.bumps.push_back(
            {static_cast<StatId>(event.extra), from.machines[from.clock_machines[event.clock]],
             from.file, event.track == kNone ? -1 : static_cast<int32_t>(event.track), event.ts});
  }
}

// What building lost or repaired.
void add_build_report(const AssembleReport& built, PlacementReport& report) {
  for (const AssembleStat& stat : built.stats)
    report.bumps.push_back({stat.stat, {stat.machine}, stat.file, stat.index, stat.value});
  for (const AssembleLog& log : built.log)
    report.logs.push_back(
        {.stat = log.stat, .file = log.file, .ts = {log.ts}, .arg_set = log.arg_set_id});
}

void add_not_imported(std::span<const PlacedBatch> batches, std::vector<NotImportedOfFile>& out) {
  for (const PlacedBatch& from : batches)
    for (const NotImported& row : from.batch.not_imported)
      out.push_back({from.file.row, row.what, row.count, row.bytes});
}

Result<Merged> merge_files(std::span<const std::string> paths, const MergeOptions& options,
                           Workers& workers, Progress& progress) {
  Merged merged;
  StageClock stage(merged.times);
  merged.store = std::make_unique<Store>();
  Store& store = *merged.store;

  // Undo archives and compression; see what is inside.
  stage.begin("open");
  TB_TRY_ASSIGN(std::vector<Member> members, open_members(paths, options.limits, progress));
  std::vector<TraceFile> files = recognise(std::move(members));
  std::vector<uint32_t> order = reading_order(files);
  TB_TRY_ASSIGN(std::vector<Manifest> manifests,
                read_manifests(options.manifest_path, order, files, merged.problems));

  // Read every file by itself. None can see another.
  stage.begin("read");
  TB_TRY(read_all(options, workers, progress, files));
  // Bytes that could not be read make everything doubtful that came of the file: whatever else
  // went wrong may be due to that.
  if (std::optional<Error> damage = damaged_file()) return tl::unexpected(*std::move(damage));
  note_grown_files(files);
  order = reading_order(files);  // files inside files have joined the list
  settle_log_years(std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())
                       .time_since_epoch()
                       .count(),
                   files);
  TB_TRY(gather_problems(options.strict, order, files, merged.problems));
  fill_trace_files(files, store);

  // Who is who, and where each clock lies: once, with all evidence on the table.
  stage.begin("locate");
  const std::vector<FileToLocate> located_files = files_to_locate(order, files);
  const Manifest manifest = join_manifests(std::move(manifests), located_files, merged.problems);
  const ClockModel model =
      options.clock_model.value_or(manifest.clock_model.value_or(ClockModel::Linear));
  TB_TRY_ASSIGN(Located located,
                locate(located_files, &manifest,
                       {.model = model, .sync = options.sync, .strict = options.strict}, store));
  for (Problem& warning : located.warnings) merged.problems.push_back(std::move(warning));

  // One list of names; from here on there are only trace times.
  stage.begin("place and sort");
  std::vector<PlacedBatch> batches = take_batches(order, located, files);
  NameJoiner joiner;
  std::vector<JoinMap> maps(batches.size());
  const PlacingRules rules{.drop_negative = options.drop_negative};
  std::vector<std::vector<PlaceCount>> counts(batches.size());
  progress.begin("placing", batches.size(), "pieces");
  const auto place = [&](size_t i, const LatestBefore& latest_before) {
    if (progress.cancelled()) return;
    counts[i] = place_batch(located.clocks[i], located.placement, maps[i], rules, workers,
                            batches[i].batch, latest_before);
    maps[i] = {};
    progress.advance(1);
  };
  const auto waits = [&](size_t i) {
    return waits_for_others(located.clocks[i], batches[i], batches);
  };
  {
    // Names are joined one batch after the other; those that are joined are placed meanwhile.
    TaskGroup placing(workers);
    for (size_t i = 0; i < batches.size(); ++i) {
      PlacedBatch& from = batches[i];
      maps[i] = joiner.join(from.file, from.machines, from.batch, store.strings);
      if (!waits(i)) placing.add([&place, i] { place(i, {}); });
    }
    placing.wait();
  }
  const Names names = std::move(joiner).finish();
  for (size_t i = 0; i < batches.size(); ++i)
    if (waits(i))
      place(i, [&](uint32_t stream_rank) {
        return latest_before(stream_rank, batches[i].file, batches);
      });

  if (progress.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");

  // Facts and the report, then tables.
  stage.begin("build");
  fill_metadata(files, batches, input_head(paths, files), store);
  add_not_imported(batches, merged.not_imported);
  PlacementReport report = report_placement(batches, counts, located, rules, store);
  add_read_report(batches, report);
  drop_early_ftrace(store.strings, batches, report.bumps);
  const AssembleOptions building{
      .join_flows = options.join_flows.value_or(manifest.join_flows.value_or(JoinFlows::Auto)),
      .progress = &progress};
  progress.begin("building tables", 0, "events");
  add_build_report(assemble_tables(names, batches, runs_of(batches), workers, store, building),
                   report);
  if (progress.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
  merged.clocks = std::make_shared<const MergedClocks>(
      MergedClocks{std::move(located.graph), std::move(located.placement)});
  fill_import_log(report.logs, store);
  fill_stats(located.scopes, report.bumps, store);
  stage.begin("done");
  merged.times.stages.pop_back();
  return merged;
}

}  // namespace

Result<Merged> merge(std::span<const std::string> paths, const MergeOptions& options,
                     Workers& workers, Progress& progress) {
  Result<Merged> merged = merge_files(paths, options, workers, progress);
  if (!merged && merged.error().code == ErrorCode::Cancelled) return merged;
  if (std::optional<Error> damage = damaged_file()) return tl::unexpected(*std::move(damage));
  return merged;
}

}  // namespace tracebraid
