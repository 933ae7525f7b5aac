// What locating takes and gives: the files, and the place of each of their clocks.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clock/clock_graph.h"
#include "clock/placement.h"
#include "event/batch.h"
#include "format/format.h"
#include "merge/facts.h"
#include "merge/problem.h"

namespace tracebraid {

// One file, in reading order.
struct FileToLocate {
  FileId file;                      // row of trace_file
  FileId parent;                    // none for an input
  std::optional<std::string> name;  // as in trace_file
  std::string manifest_path;        // as the outermost manifest would call it
  bool is_container = false;        // or a manifest
  bool is_manifest = false;
  bool is_bugreport = false;       // claims REALTIME (spec clocks 5)
  const Format* format = nullptr;  // null: nothing was read of it
  std::vector<const EventBatch*> pieces;
};

// What becomes of the times that one clock of one batch gives.
struct ClockPlace {
  enum class Kind : uint8_t {
    Raw,     // they are trace time as they stand
    Latest,  // there is none: the event takes the latest of its stream before it
    Node,    // they are readings of `node`
  };
  Kind kind = Kind::Raw;
  ClockId node;
  bool keep_raw_on_failure = false;
  bool loses_packet = false;  // a failure is clock_sync_failure_undeferrable_packet_loss as well
  int64_t tick_ns = 1;
  int64_t zone_ns = 0;  // how far readings are ahead of the node's: they are of local time
};

// Why the events of a clock have no place.
struct LostCause {
  StatId stat;                // clock_sync_failure_...
  bool loses_packet = false;  // clock_sync_failure_undeferrable_packet_loss as well
  ClockKey source, target;    // for the import log (spec clocks 6.5)
};

// A file's machine that nothing relates to trace time. When any of its events
// were lost, that is one clock_sync_unrelatable_clock_domains.
struct Unrelatable {
  Scope scope;
  uint32_t source_domain, target_domain;  // log args source_clock_id, target_clock_id
};

// A row for the import log that also bumps its stat.
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

enum class TimelineSource : uint8_t {
  None,      // no file named a clock: times are what they are
  Manifest,  // its trace_time
  File,      // the first file that has one
};

struct Located {
  // By batch: files in their order, each file's pieces in theirs.
  std::vector<std::vector<MachineId>> machines;  // of batch.machines
  std::vector<std::vector<ClockPlace>> clocks;   // of batch.clocks
  Placement placement;
  ClockGraph graph;

  std::vector<Scope> scopes;  // each (file, machine) that was read
  std::vector<StatBump> bumps;
  std::vector<LocateLog> logs;
  std::vector<RefusedSnapshot> refused;
  std::vector<Unrelatable> unrelatable;
  // What the manifest names and is not there; captures that are not of the machine they claim;
  // evidence that contradicts the paths taken.
  std::vector<Problem> warnings;

  TimelineSource timeline = TimelineSource::None;
  FileId timeline_file;             // that chose it, if any
  std::vector<std::string> labels;  // of each node: "BOOTTIME of phone"
  std::vector<bool> is_proto;       // by batch

  // For a clock of a batch whose place.kind is Node and that has no place, or that
  // refused a reading.
  LostCause why(size_t batch, uint32_t clock) const;
  // "BOOTTIME of b.pb > BOOTTIME of phone": clocks from this one to trace time.
  std::string path_text(ClockId clock) const;
  // is_timeline, or the weakest kind of evidence on the path; unplaced.
  std::string_view rule(ClockId clock) const;
};

}  // namespace tracebraid
