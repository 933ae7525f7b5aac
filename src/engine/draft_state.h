// DraftState: what a Draft has read, and its last places. For draft.cc and draft_suggestions.cc.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/boundary.h"
#include "base/workers.h"
#include "clock/clock_graph.h"
#include "engine/draft_edge.h"
#include "engine/engine.h"
#include "merge/staged.h"

namespace tracebraid {

struct DraftState {
  std::shared_ptr<const Engine> engine;
  std::vector<TraceInput> inputs;
  MergeOptions options;
  std::unique_ptr<StagedFiles> files;
  Workers workers;
  BrokenInvariant broken;
  std::mutex placing;  // guards the next members

  // The edges of the inputs placed by `manifest` with all evidence, whose rows switch edges off.
  struct AllEdges {
    std::optional<std::string> manifest;
    std::vector<DraftEdge> edges;
    std::vector<ClockPair> pairs;
  };
  std::optional<AllEdges> all_edges;
  // The last places with all evidence, while they are in use, and their manifest.
  std::weak_ptr<const PlacedFiles> last_whole;
  std::optional<std::string> last_manifest;

  explicit DraftState(std::shared_ptr<const Engine> of)
      : engine(std::move(of)), workers(engine->threads()) {}

  // Fills all_edges.
  Result<> note_all_edges(std::optional<std::string_view> manifest, const std::string& path);
  // Returns the rows of clock_edge of the inputs placed with all evidence.
  Result<std::vector<DraftEdge>> find_edges(std::optional<std::string_view> manifest,
                                            const std::string& path, std::span<const uint32_t> rows,
                                            std::vector<ClockPair>& pairs);
  // Reads the inputs again and merges them.
  Result<Merged> merge_whole(std::optional<std::string_view> manifest, const std::string& path,
                             std::span<const ClockPair> excluded, Progress& progress);
};

}  // namespace tracebraid
