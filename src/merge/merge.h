// merge(): reads many files and returns one timeline. Its list of stages is the architecture; see
// docs/architecture.md.
//
// Input: paths, options, a manifest. Output: Merged: a Store, the clocks and the problems. Called
// by engine.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/memory_limit.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/workers.h"
#include "clock/clock_graph.h"
#include "clock/placement.h"
#include "container/trace_input.h"
#include "merge/options.h"
#include "merge/problem.h"
#include "tables/store.h"

namespace tracebraid {

// All clocks and their places.
struct MergedClocks {
  ClockGraph graph;
  Placement placement;
};

struct Merged {
  std::unique_ptr<Store> store;
  std::shared_ptr<const MergedClocks> clocks;
  std::vector<Problem> problems;
  std::vector<NotImportedOfFile> not_imported;
  // The text of the manifest within an archive that is the only input, if it applies; else empty.
  std::string inner_manifest = {};
  StageTimes times;
  std::unique_ptr<HeldMemory> memory{};  // of the tables
};

// Returns an Error if nothing could be read, if the manifest breaks a rule, or, with `strict`, for
// the first problem.
Result<Merged> merge(std::span<const TraceInput> inputs, const MergeOptions& options,
                     Workers& workers, Progress& progress);

}  // namespace tracebraid
