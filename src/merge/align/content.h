// Content evidence: relates clocks by what two recordings have in common (spec alignment 3 to 7).
//
// Input: the batches of all files, and the clock graph with all statements, measurements and sync
// markers. Output: match sets, snapshots in the graph, rows of clock_match_set and its details.
// Called by merge/locate.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "clock/clock_graph.h"
#include "clock/contradictions.h"
#include "event/align_options.h"
#include "event/flow_join.h"
#include "merge/align/barriers.h"
#include "merge/align/causality.h"
#include "merge/align/collectives.h"
#include "merge/align/flows.h"
#include "merge/align/markers.h"
#include "merge/align/match_set.h"
#include "merge/align/mpi.h"
#include "merge/align/outcome.h"
#include "merge/align/packets.h"
#include "merge/align/program.h"
#include "merge/align/rpc.h"
#include "merge/align/same_files.h"
#include "merge/align/spans.h"
#include "merge/align/texts.h"
#include "merge/align/wakeups.h"
#include "merge/facts.h"
#include "merge/locate/clocks.h"
#include "merge/locate/wall_clocks.h"

namespace tracebraid::align {

// What the files say about moments that other files may have, too.
struct Findings {
  std::vector<RankRecording> ranks;
  FlowMoments flows;
  ServiceSpans spans;
  UserMarkers markers;
  std::vector<ProgramRecording> programs;
  LogTexts texts;
  std::vector<StatedWallClock> wall_clocks;
  SameFiles same_files;
  FlowMoments rpc, packets;
  Wakeups wakeups;
  std::vector<RankRecording> barriers;
  MpiCalls mpi;
};

// What the files have in common. Depends on the files alone.
struct Content {
  Findings found;
  CauseLinks flow_links, span_links, rpc_links, packet_links, mpi_links;
  WakeupLinks wakeup_links;
  std::vector<MatchSet> sets;

  // Refer to this.
  std::array<Causes, 6> causes() const;
  std::array<Meetings, 2> meetings() const;
};

// Reads what recordings note, in clocks that were never set (steady.h): causes and effects also of
// kinds that `options` switch off, because causality is checked for all. `kinds`: of the trackers.
Findings read_findings(std::span<const FileToLocate> files, const Trackers& trackers,
                       const EventKinds& kinds, const AlignOptions& options, JoinFlows join);

// Links and matches what was found. `sets` has the kinds of the options.
Content match_findings(Findings found, const Trackers& trackers, const AlignOptions& options);

struct ContentOutcome {
  std::vector<Contradiction> contradictions;
  std::vector<ContentHop> hops;  // the relations that were added
};

// Decides what each set is used for by what relates its clocks without content: it places clocks
// that nothing relates or that are related less exactly, and verifies others. Content that
// contradicts a relation never replaces it, except that unique ids disprove wall clocks. Adds the
// maps of used sets to `graph`. `prior` has all relations without content except guesses. Appends a
// warning for each contradiction. Sets that relate clocks in loops are solved together.
ContentOutcome add_content(std::span<const FileToLocate> files,
                           std::span<const std::vector<ClockId>> nodes, const AlignOptions& options,
                           ClockModel model, const ClockGraph& prior, std::span<MatchSet> sets,
                           ClockGraph& graph, std::vector<Problem>& warnings);

// Appends the stats of the sets.
void count_sets(std::span<const MatchSet> sets, std::vector<StatBump>& bumps);

// Fills the tables clock_match_set, clock_match and clock_residual. `nodes`: of the clocks of each
// batch.
void fill_match_sets(std::span<const MatchSet> sets, std::span<const std::vector<ClockId>> nodes,
                     const Placement& placement, Store& store);

}  // namespace tracebraid::align
