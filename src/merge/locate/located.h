// The input and output of locate(): files, and the place of each of their clocks.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clock/clock_graph.h"
#include "clock/placement.h"
#include "clock/segment_maps.h"
#include "event/batch.h"
#include "format/format.h"
#include "merge/align/outcome.h"
#include "merge/facts.h"
#include "merge/problem.h"

namespace tracebraid {

struct BatchSummary;

// One file, in reading order.
struct FileToLocate {
  FileId file;                      // row of trace_file
  FileId parent;                    // none for an input
  std::optional<std::string> name;  // as in trace_file
  std::string manifest_path;        // path relative to the outermost archive
  bool is_container = false;        // or a manifest
  bool is_manifest = false;
  bool is_bugreport = false;       // claims REALTIME (spec clocks 5)
  const Format* format = nullptr;  // null: nothing was read of it
  std::vector<const EventBatch*> chunks;
  // One for each chunk if the chunks have no events any more; else empty.
  std::vector<const BatchSummary*> summaries = {};
};

// The conversion of the times of one clock of one batch.
struct ClockPlace {
  enum class Kind : uint8_t {
    Raw,     // times are trace time
    Latest,  // no times: an event takes the latest time of its stream before it
    Node,    // times are readings of `node`
  };
  Kind kind = Kind::Raw;
  ClockId node;
  bool keep_raw_on_failure = false;
  bool loses_packet = false;  // a failure is clock_sync_failure_undeferrable_packet_loss as well
  int64_t tick_ns = 1;
  int64_t zone_ns = 0;  // how far readings, in local time, are ahead of those of the node
  // For the readings of one segment of a clock that was set back.
  const SegmentMaps* segments = nullptr;
  uint32_t segment = 0;
  bool by_order = false;  // the order of the file chose the segment

  PlaceCursor cursor(const Placement& placement) const {
    return segments != nullptr ? segments->cursor(segment) : placement.cursor(node);
  }
};

// The reason why events of a clock have no place.
struct LostCause {
  StatId stat;                // clock_sync_failure_...
  bool loses_packet = false;  // clock_sync_failure_undeferrable_packet_loss as well
  ClockKey source, target;    // for the import log (spec clocks 6.5)
};

// A machine of a file without a path to trace time. If events were dropped, it counts once in
// clock_sync_unrelatable_clock_domains.
struct Unrelatable {
  Scope scope;
  uint32_t source_domain, target_domain;  // log args source_clock_id, target_clock_id
};

// A row of the import log that also counts its stat.
struct LocateLog {
  StatId stat;
  Scope scope;
  std::string_view arg;
  int64_t value;
};

// A snapshot that broke a rule of spec clocks 3.2: a row of the import log with the text that the
// spec gives. The stat is global and counts all of them.
struct RefusedSnapshot {
  FileId file;
  uint64_t byte_offset;
  std::string why;
};

// A relation of clocks that the manifest states.
struct ManifestRelation {
  size_t entry;               // index of its entry in the manifest
  ClockId source, reference;  // none if the file has no event that `start` could relate
  bool is_start = false;      // by `start`, else by `clocks`
};

enum class TimelineSource : uint8_t {
  None,      // no file names a clock: times are not converted
  Manifest,  // trace_time of the manifest
  File,      // the first file with a clock
};

struct Located {
  // Indexed by batch, in order of files and of the batches of a file.
  std::vector<std::vector<MachineId>> machines;  // of batch.machines
  std::vector<std::vector<ClockPlace>> clocks;   // of batch.clocks
  Placement placement;
  ClockGraph graph;
  // Of the nodes with events whose path leads through a clock that was set back.
  std::map<ClockId, std::unique_ptr<SegmentMaps>> segments;

  std::vector<Scope> scopes;  // all (file, machine) pairs that were read
  std::vector<StatBump> bumps;
  std::vector<LocateLog> logs;
  std::vector<RefusedSnapshot> refused;
  std::vector<Unrelatable> unrelatable;
  std::vector<ManifestRelation> relations;
  std::vector<align::ContentHop> content;
  std::vector<align::CausalViolation> violations;
  // Missing files of the manifest; files that are not of the machine they claim; evidence that
  // contradicts the chosen paths.
  std::vector<Problem> warnings;

  TimelineSource timeline = TimelineSource::None;
  FileId timeline_file;             // file that determined it, if any
  std::vector<std::string> labels;  // by node: "BOOTTIME of phone"
  std::vector<bool> is_proto;       // by batch

  // Returns the cause for a clock of kind Node without a place, or with an ambiguous reading.
  LostCause why(size_t batch, uint32_t clock) const;
  // Returns the clocks from this one to trace time: "BOOTTIME of b.pb > BOOTTIME of phone".
  std::string path_text(ClockId clock) const;
  // Returns is_timeline, the weakest kind of evidence on the path, or unplaced.
  std::string_view rule(ClockId clock) const;
};

}  // namespace tracebraid
