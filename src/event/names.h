// Names: the clocks, processes, threads and tracks of a file, as the file identifies them.
//
// In a batch, `machine` is an index of EventBatch::machines, and strings, args and names are local
// to the batch. merge/ joins the names of all batches into one list with distinct entries; then
// `machine` is a row of the machine table and `file` is set. A name is not yet a row of a table:
// the row of "tid 7 of pid 3" can change with time, and assemble/ decides it.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/clock_domain.h"
#include "base/id.h"

namespace tracebraid {

inline constexpr uint32_t kNone = ~uint32_t{0};  // "no index" in every index field below
inline constexpr int64_t kNoId = std::numeric_limits<int64_t>::min();  // "no pid", "no tid"

// The handling of an event whose clock has no place.
enum class OnFailure : uint8_t {
  Drop,
  KeepRaw,
  // Drops the event, which is one of several in a record of the file; the record is kept (spec
  // clocks 7.3, nested times).
  DropPart,
};

struct ClockName {
  // 1 to 63 builtin, 64 to 127 local to a sequence, >= 128 global, kPrivateClock, or kTraceTime for
  // times that need no conversion (spec clocks 1.3).
  uint32_t domain = 0;
  uint32_t sequence = 0;  // the sequence that owns the clock, or 0
  uint32_t machine = 0;
  int64_t tick_ns = 1;
  // Chosen by default, not by the event. A manifest that moves the file replaces only such clocks
  // (spec clocks 15.1 A1).
  bool by_default = false;
  OnFailure on_failure = OnFailure::Drop;
  friend auto operator<=>(const ClockName&, const ClockName&) = default;
  template <class H>
  friend H AbslHashValue(H h, const ClockName& n) {
    return H::combine(std::move(h), n.domain, n.sequence, n.machine, n.tick_ns, n.by_default,
                      n.on_failure);
  }
};
inline constexpr uint32_t kPrivateClock = domain::kPrivate;  // the private timeline of the file
// Local time: REALTIME in the time zone of the machine, as if that zone were UTC. The zone is known
// after all files have been read.
inline constexpr uint32_t kLocalTime = 62;
// Local time of a date without a year, as if in 1972.
inline constexpr uint32_t kLocalTimeOfYear = 61;
// The time is trace time and is not converted (a proto packet before any clock is known).
inline constexpr uint32_t kTraceTime = 0;
// The event has no time: it gets the largest time of its file before it.
inline constexpr uint32_t kLatestTime = ~uint32_t{0};

struct ProcessName {
  uint32_t machine = 0;
  FileId file = {};  // set by merge
  int64_t pid = 0;
  // 0, or an identity that the file gives (a track uuid). Another identity with the same pid in the
  // same file means that the pid was reused (spec proto 2.4).
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
  int64_t pid = kNoId;  // kNoId if the file does not give the process
  uint64_t life = 0;    // as ProcessName::life
  friend auto operator<=>(const ThreadName&, const ThreadName&) = default;
  template <class H>
  friend H AbslHashValue(H h, const ThreadName& n) {
    return H::combine(std::move(h), n.machine, n.file, n.tid, n.pid, n.life);
  }
};

enum class TrackScope : uint8_t { Global, Process, Thread, Cpu };
enum class TrackEvents : uint8_t { Slice, Counter, State };

// The rule by which overlapping events share the lanes of one logical track.
enum class Lanes : uint8_t {
  Single,    // one lane; slices nest (for complete slices that overlap partly see `overlap`)
  ByCookie,  // one lane for each cookie active at a time (spec proto 3.2)
};
enum class Overlap : uint8_t {
  Drop,   // proto: slice_drop_overlapping_complete_event
  Spill,  // JSON: onto thread_overlapping_slice lanes of the same thread
  // JSON async, with begins and ends only: a slice inside one that has ended stays open until its
  // own end (spec json 4.7).
  Outlive,
};

struct TrackName {
  TrackScope scope = TrackScope::Global;
  TrackEvents events = TrackEvents::Slice;
  Lanes lanes = Lanes::Single;
  Overlap overlap = Overlap::Drop;
  // A track without a name takes the name of its first event, also in its key.
  bool named_by_first_event = false;
  // Exists even if only its children are used (spec proto 2.4).
  bool root = false;
  uint32_t machine = 0;
  FileId file = {};
  uint32_t owner = kNone;  // index of a process or thread name, or the CPU number
  uint32_t gpu = kNone;    // number of its GPU: dimensions ugpu and gpu
  StringId type = {};      // "thread_execution", ...: the `type` column
  StringId name = {};
  StringId unit = {};       // counters
  uint32_t parent = kNone;  // index of a track name
  uint64_t cookie = 0;      // ByCookie: the cookie of the event
  uint64_t instance = 0;    // distinguishes otherwise equal tracks
  uint32_t group = 0;       // Single: tracks of one machine with one number share track_group_id
  uint32_t dimensions = kNone;   // arg set; assemble adds the dimension of the owner
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
