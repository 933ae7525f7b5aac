#include "engine/draft_state.h"

#include <fmt/format.h>

#include <utility>

namespace tracebraid {

Result<> DraftState::note_all_edges(std::optional<std::string_view> manifest,
                                    const std::string& path) {
  if (all_edges && all_edges->manifest == manifest) return {};
  std::shared_ptr<const PlacedFiles> all = last_whole.lock();
  if (all == nullptr || last_manifest != manifest) {
    TB_TRY_ASSIGN(PlacedFiles placed, files->place(manifest, path, workers));
    all = std::make_shared<const PlacedFiles>(std::move(placed));
  }
  const ClockGraph& graph = all->merged.clocks->graph;
  const Store& store = *all->merged.store;
  AllEdges& noted = all_edges.emplace();
  if (manifest) noted.manifest = *manifest;
  for (const ClockGraph::Edge& edge : graph.edges()) {
    const auto label = [&](ClockId clock) {
      return std::string(store.strings.get(store.clocks.label[clock.row]));
    };
    noted.edges.push_back({static_cast<uint32_t>(noted.edges.size()), label(edge.from),
                           label(edge.to), name_of(edge.kind)});
    noted.pairs.push_back({graph.key(edge.from), graph.key(edge.to), edge.kind});
  }
  return {};
}

Result<std::vector<DraftEdge>> DraftState::find_edges(std::optional<std::string_view> manifest,
                                                      const std::string& path,
                                                      std::span<const uint32_t> rows,
                                                      std::vector<ClockPair>& pairs) {
  std::vector<DraftEdge> found;
  if (rows.empty()) return found;
  TB_TRY(note_all_edges(manifest, path));
  for (const uint32_t row : rows) {
    if (row >= all_edges->edges.size())
      return fail(ErrorCode::NotFound, fmt::format("clock_edge has no row {}", row));
    found.push_back(all_edges->edges[row]);
    pairs.push_back(all_edges->pairs[row]);
  }
  return found;
}

Result<Merged> DraftState::merge_whole(std::optional<std::string_view> manifest,
                                       const std::string& path, std::span<const ClockPair> excluded,
                                       Progress& progress) {
  MergeOptions whole = options;
  whole.excluded.assign(excluded.begin(), excluded.end());
  whole.manifest_path = manifest ? path : "";
  if (manifest) whole.manifest_text = std::string(*manifest);
  return merge(inputs, whole, workers, progress);
}

}  // namespace tracebraid
