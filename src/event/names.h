// Names: how a file calls its clocks, processes, threads and tracks.
//
// In a batch, `machine` is an index of EventBatch::machines and strings, args
// and other names are the batch's own. merge/ joins the batches' names into one
// list in which equal names are one entry; `machine` then is a row of the
// machine table and `file` is set. No name is a row of a table yet: which row
// "tid 7 of pid 3" is can change with time and is decided while building.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/id.h"

namespace tracebraid {

inline constexpr uint32_t kNone = ~uint32_t{0};  // "no index" in every index field below
inline constexpr int64_t kNoId = std::numeric_limits<int64_t>::min();  // "no pid", "no tid"

// What becomes of an event whose clock cannot be placed.
enum class OnFailure : uint8_t {
  Drop,
  KeepRaw,
  // Its time is one of several in a record of the file: it is lost, the record
  // as a whole is not (spec clocks 7.3, nested times).
  DropPart,
};

struct ClockName {
  // 1..63 builtin, 64..127 of a sequence, >= 128 global, kPrivateClock, or
  // kTraceTime for times that need no conversion (spec clocks 1.3).
  uint32_t domain = 0;
  uint32_t sequence = 0;  // 0, or the writer that the clock belongs to
  uint32_t machine = 0;
  int64_t tick_ns = 1;
  // Chosen by default, not named by the event: a manifest that pins the file
  // replaces just these (spec clocks 15.1 A1).
  bool by_default = false;
  OnFailure on_failure = OnFailure::Drop;
  friend auto operator<=>(const ClockName&, const ClockName&) = default;
  template <class H>
  friend H AbslHashValue(H h, const ClockName& n) {
    return H::combine(std::move(h), n.domain, n.sequence, n.machine, n.tick_ns, n.by_default,
                      n.on_failure);
  }
};
inline constexpr uint32_t kPrivateClock = 11;  // the file's own timeline
// REALTIME as the machine's people see it: in its time zone, as if that were UTC. The zone is
// known when all files are read.
inline constexpr uint32_t kLocalTime = 62;
// Likewise, of a date without a year, as if in 1972.
inline constexpr uint32_t kLocalTimeOfYear = 61;
// The event's ts is trace time as it stands (a proto packet before any clock is known).
inline constexpr uint32_t kTraceTime = 0;
// The event has no time: it takes the largest that its file had before it.
inline constexpr uint32_t kLatestTime = ~uint32_t{0};

struct ProcessName {
  uint32_t machine = 0;
  FileId file = {};  // set by merge
  int64_t pid = 0;
  // 0, or an identity given by the file (a track uuid): a second one with the
  // same pid in the same file is another life of the pid (spec proto 2.4).
  uint64_t life = 0;
  friend auto operator<=>(const ProcessName&, const ProcessName&) = default;
  template <class H>
  friend H AbslHashValue(H h, const ProcessName& n) {
    return H::combine(std::move(h), n.machine, n.file, n.pid, n.life);
  }
};

struct ThreadName {
  uint32_t machine = 0;
  FileId file = {};
  int64_t tid = 0;
  int64_t pid = kNoId;  // kNoId when the file does not say whose thread it is
  uint64_t life = 0;    // as above
  friend auto operator<=>(const ThreadName&, const ThreadName&) = default;
  template <class H>
  friend H AbslHashValue(H h, const ThreadName& n) {
    return H::combine(std::move(h), n.machine, n.file, n.tid, n.pid, n.life);
  }
};

enum class TrackScope : uint8_t { Global, Process, Thread, Cpu };
enum class TrackEvents : uint8_t { Slice, Counter, State };

// How several events that overlap in time share the rows of one logical track.
enum class Lanes : uint8_t {
  Single,    // one row; slices nest (complete slices that half overlap: `overlap`)
  ByCookie,  // a row for each of the cookies that are active at a time (spec proto 3.2)
};
enum class Overlap : uint8_t {
  Drop,   // proto: slice_drop_overlapping_complete_event
  Spill,  // JSON: onto thread_overlapping_slice lanes of the same thread
  // JSON async: begins and ends only. What was begun inside a slice that has ended stays
  // open until its own end (spec json 4.7).
  Outlive,
};

struct TrackName {
  TrackScope scope = TrackScope::Global;
  TrackEvents events = TrackEvents::Slice;
  Lanes lanes = Lanes::Single;
  Overlap overlap = Overlap::Drop;
  // A track without a name takes that of its first event, also as its key.
  bool named_by_first_event = false;
  // Shown even if only its children are used (spec proto 2.4).
  bool root = false;
  uint32_t machine = 0;
  FileId file = {};
  uint32_t owner = kNone;  // index of a process or thread name, or the CPU number
  uint32_t gpu = kNone;    // number of the GPU that it is about: dimensions ugpu and gpu
  StringId type = {};      // "thread_execution", ...: the `type` column
  StringId name = {};
  StringId unit = {};       // counters
  uint32_t parent = kNone;  // index of a track name
  uint64_t cookie = 0;      // ByCookie: which lane an event wants
  uint64_t instance = 0;    // tells tracks apart that are alike in all else
  uint32_t group = 0;       // Single: tracks of one machine with one number share track_group_id
  uint32_t dimensions = kNone;   // arg set; the owner's own dimension is added by the builder
  uint32_t source_args = kNone;  // arg set
  friend auto operator<=>(const TrackName&, const TrackName&) = default;
  template <class H>
  friend H AbslHashValue(H h, const TrackName& n) {
    return H::combine(std::move(h), n.scope, n.events, n.lanes, n.overlap, n.named_by_first_event,
                      n.root, n.machine, n.file, n.owner, n.gpu, n.type, n.name, n.unit, n.parent,
                      n.cookie, n.instance, n.group, n.dimensions, n.source_args);
  }
};

}  // namespace tracebraid
