// Sync markers: relates recordings that noted the same moments, or that give their clocks the same
// name (spec json 6).
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
  // A clock with a name or a marker. A clock that several files share is one.
  struct NamedClock {
    ClockId node;  // node of the shared clock, or of the clock of the file
    ClockId own;   // node of the clock of the file
    Scope scope;   // of the file
    std::string domain;
    bool is_named =
        false;  // whether the file names it; otherwise it has the name of unnamed clocks
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
    bool is_best = false;  // whether it is the best of the two clocks, which is used
  };
  std::vector<NamedClock> clocks;
  std::vector<Marker> markers;
  std::vector<Sync> syncs;
  std::vector<LocateLog> logs;
};

// Collects names and markers, and ties clocks of one name. A manifest that moves a file outweighs
// its markers.
SyncReport add_named_clocks(std::span<const FileToLocate> files, const MachineRegistry& registry,
                            const Trackers& trackers, std::span<const std::vector<ClockId>> nodes,
                            const SyncOptions& options, ClockGraph& graph);

// Adds the best sync of each pair of clocks. If no chain of syncs joins two groups of clocks, the
// smaller group keeps its own times (spec json 6.3).
Result<> add_sync_markers(const SyncOptions& options, SyncReport& report, ClockGraph& graph);

// Fills the tables json_clock_sync_marker, json_clock_edge and json_trace_clock.
void fill_json_clocks(const SyncReport& report, const Located& located, Store& store);

}  // namespace tracebraid
