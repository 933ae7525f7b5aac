// merge(): many files in, one timeline out. The list of stages is the
// architecture; see docs/architecture.md.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "base/workers.h"
#include "clock/clock_graph.h"
#include "clock/placement.h"
#include "container/members.h"
#include "event/flow_join.h"
#include "format/format.h"
#include "tables/store.h"

namespace tracebraid {

// How sync markers are used (spec json 6.3).
struct SyncOptions {
  bool fit_line = false;        // of several syncs of two clocks: a line instead of the best one
  bool same_domain = false;     // markers also relate files that call their clocks by one name
  bool must_be_linked = false;  // clocks that no chain of syncs joins are an Error
};

struct MergeOptions {
  bool strict = false;         // the first problem is an Error
  bool drop_negative = false;  // drop events before the start of trace time (spec clocks 9.2)
  std::optional<ClockModel> clock_model;  // none: as the manifest says, else linear
  std::optional<JoinFlows> join_flows;    // none: as the manifest says, else auto
  SyncOptions sync;
  ContainerLimits limits;
  ReadOptions read;
  std::string manifest_path;  // read in place of one found among the inputs
};

// Something the user should know of: a file that could not be read whole, a
// manifest entry that matches nothing. Where in which file, and what to do.
struct Problem {
  std::string path;
  Error error;
};

struct NotImportedOfFile {
  uint32_t file;  // row of trace_file
  std::string what;
  uint64_t count, bytes;
};

// Nanoseconds of wall time spent in each stage, for benchmarks.
struct StageTimes {
  std::vector<std::pair<const char*, uint64_t>> stages;
};

// What is known of all clocks, and where they lie.
struct MergedClocks {
  ClockGraph graph;
  Placement placement;
};

struct Merged {
  std::unique_ptr<Store> store;
  std::shared_ptr<const MergedClocks> clocks;
  std::vector<Problem> problems;
  std::vector<NotImportedOfFile> not_imported;
  StageTimes times;
};

// An Error when nothing at all could be read, when the manifest breaks a rule,
// or, under strict, for the first problem.
Result<Merged> merge(std::span<const std::string> paths, const MergeOptions& options,
                     Workers& workers, Progress& progress);

}  // namespace tracebraid
