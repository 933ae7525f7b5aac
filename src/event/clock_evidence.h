// Clock evidence: what a file says of how its clocks relate, in file order.
#pragma once

#include <cstdint>

#include "base/id.h"

namespace tracebraid {

enum class SnapshotKind : uint8_t {
  Together,    // all these clocks were read at once
  PingClient,  // one element of a remote clock sync: the client's clocks ...
  PingHost,    // ... and the host's; Client and Host alternate, host first
  WallClock,   // a statement of the file on its own start, to the ms
  // A statement of when it was recorded, to the second: at the first or last event in a clock
  // that counts ns and whose reading does not matter. Two readings: that clock's, and REALTIME.
  StartDate,
  EndDate,
};
constexpr bool is_date(SnapshotKind kind) {
  return kind == SnapshotKind::StartDate || kind == SnapshotKind::EndDate;
}
struct SnapshotReading {
  uint32_t clock;  // index of the clock names
  int64_t ticks;
  bool incremental = false;
};
struct Snapshot {
  SnapshotKind kind = SnapshotKind::Together;
  uint32_t machine = 0;           // index of EventBatch::machines
  uint32_t first = 0, count = 0;  // of EventBatch::readings
  uint32_t group = 0;             // pings: packet that they belong to
  uint32_t primary = 0;           // primary_trace_clock, 0 if not said
  bool may_claim = false;         // counts for the choice of trace time (spec clocks 5)
  uint64_t events_before = 0;     // that were converted, of the same machine, in this batch
  int64_t uncertainty_ns = -1;    // if the source says; -1: by kind
  uint64_t byte_offset = 0;
};

// One moment at which two recordings noted that they speak of the same thing (spec json 6).
// It lies in [begin, end] of `clock`, ticks; a receiver notes one reading only.
struct SyncMarker {
  uint32_t clock;   // index of the clock names
  StringId domain;  // as the file names its clock; none: it does not
  StringId sync_id;
  int64_t begin = 0, end = 0;
  bool is_issuer = false;
};
// "This clock is what is called `name`" (spec json 6.2): files of one machine that say so
// share it. LINUX_CLOCK_MONOTONIC is the machine's MONOTONIC.
struct ClockDomainName {
  uint32_t clock;
  StringId name;
};

}  // namespace tracebraid
