#include "merge/align/kept_content.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>

#include "merge/align/steady.h"

namespace tracebraid::align {
namespace {

constexpr size_t kMostMade = 3;  // with content, without it, and for one change of either

// Returns the recording that each recording belongs to: the first one with an equal clock.
std::vector<uint32_t> merge_recordings(std::span<const Recording> recordings,
                                       const Trackers& trackers) {
  using Clock = std::tuple<FileId, uint32_t, uint32_t, uint32_t, int64_t>;
  absl::flat_hash_map<Clock, uint32_t> rows;
  std::vector<uint32_t> merged;
  for (const Recording& each : recordings) {
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

// Sets recordings and the recording of each moment.
template <class... Moment>
void regroup(const Trackers& trackers, std::vector<Recording>& recordings,
             std::vector<Moment>&... moments) {
  const std::vector<uint32_t> merged = merge_recordings(recordings, trackers);
  std::vector<Recording> grouped;
  for (size_t i = 0; i < merged.size(); ++i) {
    if (merged[i] < grouped.size()) continue;
    Recording& added = grouped.emplace_back(recordings[i]);
    const BatchTrackers& batch = trackers.batches[added.side.batch];
    added.tracker = batch.by_machine[batch.batch->clocks[added.side.clock].machine];
  }
  recordings = std::move(grouped);
  const auto set = [&](auto& all) {
    for (auto& moment : all) moment.recording = merged[moment.recording];
  };
  (set(moments), ...);
}

}  // namespace

KeptContent::KeptContent(std::span<const FileToLocate> files, const Trackers& raw) {
  if (raw.all.size() < 2) return;
  const EventKinds kinds(raw);
  found_ = read_findings(files, raw, kinds, {}, JoinFlows::All);
  flows_of_global_ids_ = read_flows(files, raw, kinds, JoinFlows::Auto);
  take_out_steps(raw, flows_of_global_ids_);
}

const FlowMoments& KeptContent::moments(JoinFlows join) const {
  static const FlowMoments kNone;
  if (join == JoinFlows::None) return kNone;
  return join == JoinFlows::All ? found_.flows : flows_of_global_ids_;
}

const Content& KeptContent::find(const Trackers& trackers, const AlignOptions& options,
                                 JoinFlows join) {
  const bool has_pairs = trackers.all.size() > 1;
  Key key;
  if (has_pairs) {
    key = {.join = join, .kinds = options.kinds};
    if (!std::ranges::all_of(
            trackers.all, [](uint32_t kinds) { return ~kinds == 0; }, &Tracker::align_kinds))
      std::ranges::transform(trackers.all, std::back_inserter(key.kinds_of_trackers),
                             &Tracker::align_kinds);
    const std::array<const std::vector<Recording>*, 8> all{
        &moments(join).recordings,  &found_.spans.recordings, &found_.markers.recordings,
        &found_.texts.recordings,   &found_.rpc.recordings,   &found_.packets.recordings,
        &found_.wakeups.recordings, &found_.mpi.recordings};
    for (const std::vector<Recording>* recordings : all)
      std::ranges::copy(merge_recordings(*recordings, trackers), std::back_inserter(key.merged));
    for (const ProgramRecording& program : found_.programs)
      key.merged.push_back(machine_row(program.of.side, trackers));
    for (const Recording& recording : found_.wakeups.recordings)
      key.merged.push_back(machine_row(recording.side, trackers));
  }
  const auto known =
      std::ranges::find_if(made_, [&](const auto& made) { return made->key == key; });
  if (known != made_.end()) {
    std::rotate(made_.begin(), known, known + 1);
    return made_.front()->content;
  }
  auto made = std::make_unique<Made>();
  Content& content = made->content;
  if (has_pairs) {
    Findings found{.ranks = found_.ranks,
                   .flows = moments(join),
                   .spans = found_.spans,
                   .markers = found_.markers,
                   .programs = found_.programs,
                   .texts = found_.texts,
                   .wall_clocks = found_.wall_clocks,
                   .same_files = found_.same_files,
                   .rpc = found_.rpc,
                   .packets = found_.packets,
                   .wakeups = found_.wakeups,
                   .barriers = found_.barriers,
                   .mpi = found_.mpi};
    regroup(trackers, found.flows.recordings, found.flows.moments);
    regroup(trackers, found.spans.recordings, found.spans.spans);
    regroup(trackers, found.markers.recordings, found.markers.markers);
    regroup(trackers, found.texts.recordings, found.texts.texts);
    regroup(trackers, found.rpc.recordings, found.rpc.moments);
    regroup(trackers, found.packets.recordings, found.packets.moments);
    regroup(trackers, found.wakeups.recordings, found.wakeups.calls, found.wakeups.wakings,
            found.wakeups.runs);
    regroup(trackers, found.mpi.recordings, found.mpi.calls);
    content = match_findings(std::move(found), trackers, options);
  }
  for (MatchSet& set : content.sets) set.matches = {};
  // Links have all that causality reads of the moments.
  content.found.flows.moments = {};
  content.found.spans.spans = {};
  content.found.markers = {};
  content.found.programs = {};
  content.found.texts = {};
  content.found.rpc.moments = {};
  content.found.packets.moments = {};
  content.found.wakeups.calls = {};
  content.found.wakeups.wakings = {};
  content.found.wakeups.runs = {};
  content.found.mpi.calls = {};
  made->key = std::move(key);
  made_.insert(made_.begin(), std::move(made));
  if (made_.size() > kMostMade) made_.pop_back();
  return made_.front()->content;
}

}  // namespace tracebraid::align
