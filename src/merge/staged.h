// StagedFiles: files that were read once, to be placed again by one manifest after the other
// (spec viewer 7.4 and E5). Keeps what decides the places: readings packed by clock, and evidence;
// no events.
//
// Input: paths, options; then manifests. Output: for each manifest what merge() reports of places.
// Called by engine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "base/workers.h"
#include "container/trace_input.h"
#include "merge/locate/located.h"
#include "merge/merge.h"
#include "merge/options.h"

namespace tracebraid {

// Files placed by a manifest.
struct PlacedFiles {
  // The store has the tables about files, machines, clocks and places, stats and the import log of
  // reading and placing. It has no tables of events, and nothing that only assembling finds.
  Merged merged;
  std::vector<std::vector<ClockPlace>> clocks;  // of each batch
  // Whether a clock of events was set back: then a merge places more of them, by their order.
  bool needs_order = false;
};

// The density of the events of one file on the timeline.
struct Lane {
  uint32_t file = 0;                         // row of trace_file
  int64_t events = 0;                        // placed ones, in the window or not
  std::optional<int64_t> first_ts, last_ts;  // of all placed events
  std::vector<uint32_t> counts;              // by bucket; empty without an event in the window
  std::vector<std::pair<uint32_t, int64_t>> firsts;  // bucket, and the time of its first event
};

// An event of a file on the timeline.
struct NearestEvent {
  int64_t ts = 0;
  int64_t reading_ns = 0;  // of its clock
  ClockId clock;           // none: its times are trace time
};

// What a file states of wall-clock time.
struct StatedTime {
  enum class Moment : uint8_t { FirstEvent, LastEvent, Reading };
  uint32_t file = 0;  // row of trace_file
  Moment moment = Moment::FirstEvent;
  int64_t reading_ns = 0;  // of the file's own clock; for Moment::Reading
  int64_t utc_ns = 0;
};

// What a file contains that relates clocks.
struct FileEvidence {
  uint32_t file = 0;                                    // row of trace_file
  std::vector<std::pair<uint32_t, int64_t>> snapshots;  // of each clock domain, in their order
  int64_t sequences = 0;                                // that have clocks of their own
  int64_t sync_markers = 0;
};

// One thread at a time.
class StagedFiles {
 public:
  // Reads the files. Errors are those of merge(), except for those of the manifest of the options,
  // which is ignored.
  static Result<std::unique_ptr<StagedFiles>> read(std::span<const TraceInput> inputs,
                                                   const MergeOptions& options, Workers& workers,
                                                   Progress& progress);
  ~StagedFiles();
  StagedFiles(const StagedFiles&) = delete;
  StagedFiles& operator=(const StagedFiles&) = delete;

  // Places all files by the text of a manifest, which applies to all inputs as that of
  // MergeOptions::manifest_path does; messages name it by `path`. Without a text, as the files
  // themselves state. Errors are those of the manifest.
  // Ignores `excluded`, evidence between clocks.
  Result<PlacedFiles> place(std::optional<std::string_view> manifest, const std::string& path,
                            Workers& workers, std::span<const ClockPair> excluded = {});

  // Returns the lanes of `files` (rows of trace_file), or of all files with events if empty.
  // Divides [from, to) into `buckets`. Requires: from < to, buckets > 0.
  std::vector<Lane> lanes(const PlacedFiles& placed, std::span<const uint32_t> files, int64_t from,
                          int64_t to, uint32_t buckets, Workers& workers) const;

  // Returns the event of `file` (a row of trace_file) that is nearest to `ts`, at most `reach_ns`
  // away; of equally near ones the first. Requires: reach_ns >= 0.
  std::optional<NearestEvent> nearest(const PlacedFiles& placed, uint32_t file, int64_t ts,
                                      int64_t reach_ns) const;

  // Returns what the files state of wall-clock time, in their order.
  std::vector<StatedTime> stated_times() const;

  // Returns the files that contain such evidence.
  std::vector<FileEvidence> evidence() const;

  uint64_t events() const;  // held
  size_t memory() const;    // bytes of the packed readings

 private:
  struct State;
  explicit StagedFiles(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tracebraid
