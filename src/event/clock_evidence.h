// Clock evidence: the relations between clocks that a file contains, in file order. merge/locate
// adds them to the clock graph.
#pragma once

#include <cstdint>

#include "base/id.h"

namespace tracebraid {

enum class SnapshotKind : uint8_t {
  Together,    // the clocks were read at the same moment
  PingClient,  // one element of a remote clock sync: the clocks of the client
  PingHost,    // the clocks of the host; Host and Client alternate, Host first
  WallClock,   // the file states its start, to the ms
  // The file states when it was recorded, to the second: REALTIME at its first or last event. Two
  // readings: of a clock in ns, whose value is ignored, and of REALTIME.
  StartDate,
  EndDate,
  // The times of a private clock count from a moment of wall-clock time, at its rate. Two readings:
  // of the clock and of REALTIME.
  BaseTime,
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
  uint32_t group = 0;             // pings: index of their packet
  uint32_t primary = 0;           // primary_trace_clock, 0 if not given
  bool may_claim = false;         // may choose trace time (spec clocks 5)
  uint64_t events_before = 0;   // number of converted events of the machine in this batch before it
  int64_t uncertainty_ns = -1;  // -1: the default of the kind
  uint64_t byte_offset = 0;
};

// A sync marker: a moment that two recordings recorded under one id (spec json 6). The moment lies
// in [begin, end], ticks of `clock`; a receiver records one reading only.
struct SyncMarker {
  uint32_t clock;   // index of the clock names
  StringId domain;  // name of the clock in the file, or none
  StringId sync_id;
  int64_t begin = 0, end = 0;
  bool is_issuer = false;
};
// The name of a clock (spec json 6.2): files of one machine share clocks of one name.
// LINUX_CLOCK_MONOTONIC is the machine's MONOTONIC.
struct ClockDomainName {
  uint32_t clock;
  StringId name;
};

}  // namespace tracebraid
