#include "timeline/tiles/tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tracebraid::timeline {
namespace {

// A counter of one series.
bool is_counter(const Timeline& timeline, uint32_t track) {
  const TreeTrack& of = timeline.tracks()[track];
  return of.table == TableKind::Counter && !of.is_stacked();
}

Error no_node(uint32_t number) {
  return {ErrorCode::NotFound, fmt::format("there is no node {}", number)};
}

// Makes a frame that never changes.
std::string lasting_frame(const Timeline& timeline, const TileRequest& request, TileMode mode,
                          const FrameHead& head) {
  if (mode == TileMode::Flows) return flow_frame(timeline, request.node, head, request.range);
  if (is_counter(timeline, request.node))
    return counter_frame(timeline, request.node, mode, head, request.range);
  if (timeline.tracks()[request.node].is_stacked())
    return stacked_frame(timeline, request.node, head, request.range);
  const TableKind table = timeline.tracks()[request.node].table;
  return timeline.table(table).has_lengths
             ? slice_frame(timeline, request.node, head, request.range, mode == TileMode::Category)
             : mark_frame(timeline, request.node, head, request.range);
}

}  // namespace

std::vector<TileMode> modes_of(const Timeline& timeline, const TreeNode& node) {
  if (node.type != NodeType::Track) return {TileMode::Summary, TileMode::Hits};
  std::vector<TileMode> modes = {TileMode::Value};
  if (is_counter(timeline, node.number)) {
    modes.push_back(TileMode::Delta);
    modes.push_back(TileMode::Rate);
  }
  if (timeline.tracks()[node.number].table == TableKind::Slice) {
    modes.push_back(TileMode::Category);
    modes.push_back(TileMode::Flows);
  }
  modes.push_back(TileMode::Summary);
  modes.push_back(TileMode::Hits);
  return modes;
}

Result<std::string> make_tiles(const Timeline& timeline, const TileRequest& request,
                               const Stop& stop) {
  if (stop.requested()) return fail(ErrorCode::Cancelled, "interrupted");
  const TileRange& range = request.range;
  if (!range.is_valid())
    return fail(ErrorCode::Usage,
                fmt::format("tiles {} + {} of level {}: levels are 0 to {}, 1 to {} tiles, within "
                            "64 bits of ns",
                            range.first, range.count, range.level, kMostLevel, kMostTiles));
  const bool is_whole = request.node == kWholeTrace;
  Timeline::Found found;
  TileMode mode = TileMode::Flows;
  if (is_whole) {
    if (request.mode != TileMode::Flows) return tl::unexpected(no_node(request.node));
  } else {
    found = timeline.find_node(request.node);
    if (found.tree == nullptr) return tl::unexpected(no_node(request.node));
    const std::vector<TileMode> modes = modes_of(timeline, found.node());
    mode = request.mode.value_or(modes.front());
    if (std::ranges::find(modes, mode) == modes.end())
      return fail(ErrorCode::Usage, fmt::format("mode: node {} ({}) has no tiles of mode {}",
                                                request.node, found.node().title, name_of(mode)));
  }
  const FrameHead head{.request = request.request,
                       .track = request.node,
                       .generation = request.generation,
                       .level = static_cast<uint8_t>(range.level),
                       .first = range.first,
                       .tiles = range.count};
  // Hits change with the search.
  if (mode == TileMode::Hits) return hit_frame(request.hits, found, head, range);
  // Few frames are asked for with the same categories.
  if (mode == TileMode::Flows && !request.without.empty())
    return flow_frame(timeline, request.node, head, range, request.without);
  bool was_made = false;
  const AnswerKey key{request.node, mode, static_cast<uint8_t>(range.level),
                      static_cast<uint8_t>(range.count), range.first};
  const auto size = [](const std::string& frame) { return frame.size() + sizeof key; };
  const auto keep = [&](auto make) { return timeline.answers().get(key, make, size, was_made); };
  std::shared_ptr<const std::string> kept;
  if (mode != TileMode::Summary) {
    kept = keep([&] { return lasting_frame(timeline, request, mode, head); });
  } else if (kept = timeline.answers().find_made(key); kept == nullptr) {
    TB_TRY_ASSIGN(std::string made, summary_frame(timeline, found, head, range, stop));
    // An incomplete summary changes while indexes are made.
    if (is_incomplete(made)) return made;
    kept = keep([&] { return std::move(made); });
  }
  std::string frame = *kept;
  set_request(frame, request.request, request.generation, !was_made);
  return frame;
}

}  // namespace tracebraid::timeline
