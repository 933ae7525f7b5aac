// Draft: inputs that were read once, to try manifests on them (spec viewer 7.4). In: inputs,
// options, then manifests. Out: for each manifest the report of places and the lanes of a preview.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "container/trace_input.h"
#include "engine/draft_edge.h"
#include "engine/engine.h"
#include "engine/options.h"
#include "report/check_report.h"

namespace tracebraid {

class Draft;
class StagedFiles;
class Workers;
struct DraftState;
struct PlacedFiles;

// The density of the events of one file on the timeline.
struct DraftLane {
  uint32_t file = 0;  // row of trace_file
  std::string path;   // as in the report
  std::string name;   // by which a manifest names it; empty for a sole input
  int64_t events = 0;
  std::optional<int64_t> first_ts, last_ts;  // of all placed events
  struct Bucket {
    uint32_t index;  // in the window
    int64_t events;
    int64_t first_ts;  // of its first event
  };
  std::vector<Bucket> buckets;  // those with events, in order
};

// A window of the timeline, divided into buckets of equal length.
struct LaneWindow {
  int64_t from = 0, to = 0;  // ns of trace time
  uint32_t buckets = 0;
};

// A file that is dragged: where it may come together with others.
struct SnapRequest {
  uint32_t file = 0;           // row of trace_file
  int64_t by_ns = 0;           // how far it is dragged
  int64_t reach_ns = 0;        // how far it may snap
  std::vector<int64_t> marks;  // times of its events that may meet others, besides first and last
};
struct DraftSnap {
  int64_t by_ns = 0;  // how far the file moves
  // The event of another file that an event of the file meets; none if none is within reach.
  struct Target {
    uint32_t file = 0;      // row of trace_file
    std::string path;       // as in the report
    std::string_view kind;  // start, end or event
    int64_t ts = 0;
  };
  std::optional<Target> to;
};

// An event of a file, to be picked as one moment of a pair.
struct DraftEvent {
  int64_t ts = 0;
  int64_t reading_ns = 0;  // of its clock
  // The name of its clock in a manifest: empty for the file's own timeline; none if a manifest
  // cannot name the clock.
  std::optional<std::string> clock;
};

// A way to place a file by what it has in common with another one, or by a date inside.
struct DraftSuggestion {
  // A kind of --align; sync_marker, date, first_events, last_events.
  std::string_view kind;
  uint32_t file = 0;  // row of trace_file of the other file; the file itself for a date
  std::string path;   // of it, as in the report
  // The name of its clock in a manifest; empty for its own timeline.
  std::string clock;
  std::optional<int64_t> offset_ns;  // reading of that clock minus that of the file
  std::optional<int64_t> rate_ppb;   // by how much that clock runs faster, 1e-9
  std::optional<int64_t> bound_ns;   // of the offset
  int64_t candidates = 0, used = 0;  // moments in common
  std::optional<int64_t> residual_p50_ns, residual_p99_ns;
  std::optional<int64_t> by_ns;  // how far it moves the first event of the file
  std::string start;             // of a date: wall-clock time of the first event, RFC 3339
  std::string refused;           // why the engine refuses it; empty if it does not
};

// What a file contains that relates clocks.
struct DraftFile {
  struct Clock {
    std::string name;       // REALTIME ... BOOTTIME, or the number
    int64_t snapshots = 0;  // that show it
  };
  struct Date {
    std::string_view moment;  // first_event, last_event, reading
    int64_t utc_ns = 0;
  };
  uint32_t file = 0;  // row of trace_file
  std::string path;   // as in reports
  std::vector<Clock> clocks;
  int64_t sequences = 0;  // that have clocks of their own
  int64_t sync_markers = 0;
  std::vector<Date> dates;
};

// The inputs placed by one manifest. Immutable and thread-safe.
class DraftPlaces {
 public:
  ~DraftPlaces();
  DraftPlaces(const DraftPlaces&) = delete;
  DraftPlaces& operator=(const DraftPlaces&) = delete;

  // Returns what check_report() returns for the trace with this manifest, except what only the
  // tables of events show: losses of assembling them, flows that end before they start, and bounds
  // of the trace by rows that assembling drops or gives another time.
  Result<CheckReport> report() const;
  // Returns what check_report() returns for the trace with this manifest. Reads the inputs again
  // and builds all tables, unless that was necessary for placing.
  Result<CheckReport> whole_report(Progress& progress) const;
  bool is_whole() const;  // whether report() is the whole report
  // Returns the edges that were switched off.
  const std::vector<DraftEdge>& without() const { return without_; }
  // Returns the lanes of `files` (rows of trace_file), or of all files with events if empty.
  // Returns an Error of code Usage if the window is empty or has no buckets.
  Result<std::vector<DraftLane>> lanes(std::span<const uint32_t> files,
                                       const LaneWindow& window) const;
  // Returns how far a dragged file moves so that one of its events meets the nearest event of
  // another file. Errors: NotFound for a file without events.
  Result<DraftSnap> snap(const SnapRequest& request) const;
  // Returns the event of `file` (a row of trace_file) that is nearest to `ts`, at most `reach_ns`
  // away; nothing if there is none. Returns an Error of code Usage for a reach below 0, NotFound
  // for a file that does not exist.
  Result<std::optional<DraftEvent>> nearest(uint32_t file, int64_t ts, int64_t reach_ns) const;
  // Returns the files that contain clock snapshots, sync markers or dates.
  Result<std::vector<DraftFile>> files() const;
  // Returns suggestions for a file whose events have a timeline of its own, best first, refused
  // ones last; none for other files. Errors: NotFound for a file that does not exist.
  Result<std::vector<DraftSuggestion>> suggestions(uint32_t file) const;

 private:
  friend Draft;
  struct ManifestText {
    std::optional<std::string> text;
    std::string path;  // in messages
  };
  DraftPlaces(std::shared_ptr<const Draft> draft, std::shared_ptr<const PlacedFiles> placed,
              ManifestText manifest, std::vector<DraftEdge> without);
  std::shared_ptr<const Draft> draft_;
  std::shared_ptr<const PlacedFiles> placed_;
  ManifestText manifest_;
  std::vector<DraftEdge> without_;
};

// Thread-safe: calls of place() wait for each other.
class Draft : public std::enable_shared_from_this<Draft> {
 public:
  // Reads the inputs. The manifest of the options is ignored. Returns an Error of code Usage if one
  // of them is a braid, whose events are placed already. Blocks until done; Progress::cancel() ends
  // it with Cancelled.
  static Result<std::shared_ptr<const Draft>> open(std::shared_ptr<const Engine> engine,
                                                   std::span<const TraceInput> inputs,
                                                   const TraceOptions& options, Progress& progress);
  ~Draft();
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  // Places the inputs by a manifest, the text of a document; none: as they state themselves.
  // Problems name the manifest by `path`. Returns an Error of code BadManifest for a rule that it
  // breaks. Takes as long as a merge if a clock of events was set back, because only their order
  // tells which of two equal readings came first; the lanes leave such events out.
  //
  // Ignores the evidence of `without`, rows of the table clock_edge of the inputs placed by this
  // manifest with all evidence; fallbacks, such as dates and guesses, may take its place. Returns
  // an Error of code NotFound for a row that the table does not have.
  Result<std::shared_ptr<const DraftPlaces>> place(std::optional<std::string_view> manifest,
                                                   const std::string& path,
                                                   std::span<const uint32_t> without = {}) const;

  uint64_t events() const;
  size_t memory() const;  // bytes

 private:
  friend DraftPlaces;
  explicit Draft(std::unique_ptr<DraftState> state);
  std::unique_ptr<DraftState> state_;
};

}  // namespace tracebraid
