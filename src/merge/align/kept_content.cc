#include "merge/align/kept_content.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <tuple>

namespace tracebraid::align {
namespace {

constexpr size_t kMostMade = 3;  // with content, without it, and for one change of either

// Returns the recording that each recording belongs to: the first one with an equal clock.
std::vector<uint32_t> merge_recordings(std::span<const FlowRecording> recordings,
                                       const Trackers& trackers) {
  using Clock = std::tuple<FileId, uint32_t, uint32_t, uint32_t, int64_t>;
  absl::flat_hash_map<Clock, uint32_t> rows;
  std::vector<uint32_t> merged;
  for (const FlowRecording& each : recordings) {
    const BatchTrackers& batch = trackers.batches[each.side.batch];
    const ClockName& name = batch.batch->clocks[each.side.clock];
    const uint32_t tracker = batch.by_machine[name.machine];
    const auto [at, added] =
        rows.try_emplace(Clock{each.file, name.domain, name.sequence, tracker, name.tick_ns},
                         static_cast<uint32_t>(rows.size()));
    merged.push_back(at->second);
  }
  return merged;
}

FlowMoments regroup(const FlowMoments& from, std::span<const uint32_t> merged,
                    const Trackers& trackers) {
  FlowMoments grouped;
  for (size_t i = 0; i < merged.size(); ++i) {
    if (merged[i] < grouped.recordings.size()) continue;
    FlowRecording& added = grouped.recordings.emplace_back(from.recordings[i]);
    const BatchTrackers& batch = trackers.batches[added.side.batch];
    added.tracker = batch.by_machine[batch.batch->clocks[added.side.clock].machine];
  }
  grouped.moments = from.moments;
  for (FlowMoment& moment : grouped.moments) moment.recording = merged[moment.recording];
  return grouped;
}

}  // namespace

KeptContent::KeptContent(std::span<const FileToLocate> files, const Trackers& raw)
    : ranks_(rank_recordings(files, raw)),
      flows_{read_flows(files, raw, JoinFlows::All), read_flows(files, raw, JoinFlows::Auto)} {}

const FlowMoments& KeptContent::moments(JoinFlows join) const {
  static const FlowMoments kNone;
  if (join == JoinFlows::None) return kNone;
  return join == JoinFlows::All ? flows_.of_all : flows_.of_global;
}

const Content& KeptContent::find(const Trackers& trackers, const AlignOptions& options,
                                 JoinFlows join) {
  const bool has_pairs = trackers.all.size() > 1;
  const FlowMoments& from = moments(has_pairs ? join : JoinFlows::None);
  Key key{.merged = merge_recordings(from.recordings, trackers),
          .join = has_pairs ? join : JoinFlows::None,
          .has_collectives = has_pairs && options.has(AlignKind::Collectives),
          .has_flows = has_pairs && options.has(AlignKind::Flows)};
  const auto known =
      std::ranges::find_if(made_, [&](const auto& made) { return made->key == key; });
  if (known != made_.end()) {
    std::rotate(made_.begin(), known, known + 1);
    return made_.front()->content;
  }
  auto made = std::make_unique<Made>();
  Content& content = made->content;
  if (has_pairs) {
    content.ranks = ranks_;
    content.flows = regroup(from, key.merged, trackers);
    content.links = link_flows(content.flows);
  }
  if (key.has_collectives) content.sets = match_collectives(content.ranks, trackers);
  if (key.has_flows)
    std::ranges::move(match_flows(content.flows, content.links, trackers),
                      std::back_inserter(content.sets));
  for (MatchSet& set : content.sets) set.matches = {};
  // Links have all that causality reads of the moments.
  content.flows.moments = {};
  made->key = std::move(key);
  made_.insert(made_.begin(), std::move(made));
  if (made_.size() > kMostMade) made_.pop_back();
  return made_.front()->content;
}

}  // namespace tracebraid::align
