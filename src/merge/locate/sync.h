// Sync markers: recordings that noted the same moments, or that call their clocks
// by the same name (spec json 6).
#pragma once

#include <string>
#include <vector>

#include "clock/clock_graph.h"
#include "merge/locate/clocks.h"
#include "merge/locate/located.h"
#include "merge/locate/machines.h"
#include "merge/locate/options.h"

namespace tracebraid {

struct SyncReport {
  // A clock that has a name or a marker. Clocks that several files share are one.
  struct NamedClock {
    ClockId node;  // of the shared clock, or of the file's own
    ClockId own;   // of the file
    Scope scope;   // of the file
    std::string domain;
    bool is_named = false;  // by the file; otherwise the name is that for unnamed ones
    bool has_marker = false;
  };
  struct Marker {
    size_t clock;  // index of clocks
    std::string sync_id;
    int64_t begin = 0, end = 0;  // ns of the clock
    bool is_issuer = false;
  };
  // Two markers of one sync id in different clocks.
  struct Sync {
    size_t from, to;  // indexes of clocks; from is the alphabetically first name
    int64_t at_from, at_to;
    int64_t error_ns;  // sum of the lengths of the markers
    std::string sync_id;
    bool is_best = false;  // of the two clocks; the one that counts
  };
  std::vector<NamedClock> clocks;
  std::vector<Marker> markers;
  std::vector<Sync> syncs;
  std::vector<LocateLog> logs;
};

// Gathers names and markers, and ties clocks of one name. What a manifest says of a
// whole file outweighs what the file says here.
SyncReport add_named_clocks(std::span<const FileToLocate> files, const Roster& roster,
                            const Trackers& trackers, std::span<const std::vector<ClockId>> nodes,
                            const SyncOptions& options, ClockGraph& graph);

// Adds for each two clocks their best sync. Of clocks that no chain of syncs joins to the
// others, the fewer keep their own times (spec json 6.3).
Result<> add_sync_markers(const SyncOptions& options, SyncReport& report, ClockGraph& graph);

// The tables json_clock_sync_marker, json_clock_edge and json_trace_clock.
void fill_json_clocks(const SyncReport& report, const Located& located, Store& store);

}  // namespace tracebraid
