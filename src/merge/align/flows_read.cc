// Reads the moments of flows.
#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <optional>

#include "base/fnv.h"
#include "event/event_kind.h"
#include "merge/align/flows.h"
#include "merge/align/hash.h"

namespace tracebraid::align {
namespace {

constexpr size_t kMostMoments = 1 << 20;  // of a file; of more, every n-th by key is used

// Part of the key, because formats count the ids of each kind apart.
enum KeyKind : uint64_t { kTrackEvent = 1, kBindId, kLegacy };

class FlowReader {
 public:
  FlowReader(const FileToLocate& file, std::span<const BatchTrackers> batches, size_t first,
             const EventKinds& kinds, JoinFlows join, FlowMoments& all)
      : batches_(batches),
        first_(first),
        kinds_(kinds),
        join_(join),
        all_(all),
        recordings_(file.file, all.recordings) {}

  void read() {
    const size_t before = all_.moments.size();
    for (size_t i = 0; i < batches_.size(); ++i) read_batch(first_ + i, batches_[i]);
    keep_some(before, kMostMoments, [](const FlowMoment& m) { return m.key; }, all_.moments);
  }

 private:
  using Role = FlowMoment::Role;

  void read_batch(size_t index, const BatchTrackers& batch) {
    batch_ = batch.batch;
    using enum EventKind;
    if (batch_->flows.empty() &&
        !kinds_.has_any(index, {FlowStart, FlowStep, FlowEnd, FlowEndHere}))
      return;
    recordings_.begin(index, batch);
    for (const Stream& stream : batch_->streams) {
      open_.clear();
      for (const Event& event : stream.events) read_event(event);
    }
  }

  void read_event(const Event& event) {
    switch (event.what()) {
      case EventKind::FlowStart:
        return add_legacy(event, Role::Start);
      case EventKind::FlowStep:
        return add_legacy(event, Role::Step);
      case EventKind::FlowEnd:
      case EventKind::FlowEndHere:
        return add_legacy(event, Role::End);
      case EventKind::Slice:
        return add_steps(event, event.ts, event.value);
      case EventKind::Instant:
        return add_steps(event, event.ts, 0);
      case EventKind::SliceBegin:
        if (!batch_->flows.empty()) open_[event.track].push_back(&event);
        return;
      case EventKind::SliceEnd:
        return close(event);
      default:
        return;
    }
  }

  void close(const Event& end) {
    const auto open = open_.find(end.track);
    if (open == open_.end() || open->second.empty()) return;
    const Event& begin = *open->second.back();
    open->second.pop_back();
    int64_t ticks = 0;
    if (begin.clock != end.clock || __builtin_sub_overflow(end.ts, begin.ts, &ticks)) return;
    int64_t dur = 0;
    if (__builtin_mul_overflow(ticks, batch_->clocks[begin.clock].tick_ns, &dur)) return;
    add_steps(begin, begin.ts, dur);
    add_steps(end, begin.ts, dur);
  }

  // Adds the flow steps of a slice from `ticks` for `dur` ns.
  void add_steps(const Event& event, int64_t ticks, int64_t dur) {
    if (batch_->flows.empty() || event.extra >= batch_->slice_extras.size() || dur < 0) return;
    const uint32_t first = batch_->slice_extras[event.extra].flows;
    if (first == kNone) return;
    for (size_t i = first; i < batch_->flows.size(); ++i) {
      const FlowStep& step = batch_->flows[i];
      if (joins(join_, step.id)) add_step(event, step, ticks, dur);
      if (step.last) return;
    }
  }

  void add_step(const Event& event, const FlowStep& step, int64_t ticks, int64_t dur) {
    switch (step.kind) {
      // Of two flow_ids, only time tells the cause from the effect: both count as starts, so that
      // the flow matches nothing. A terminating id is an effect.
      case FlowStepKind::Flow:
        return add_step(event.clock, step.id, kTrackEvent, Role::Start, ticks, dur);
      case FlowStepKind::Terminating:
        return add_step(event.clock, step.id, kTrackEvent, Role::End, ticks, dur);
      case FlowStepKind::Out:
        return add_step(event.clock, step.id, kBindId, Role::Start, ticks, dur);
      case FlowStepKind::Step:
        return add_step(event.clock, step.id, kBindId, Role::Step, ticks, dur);
      case FlowStepKind::In:
        return add_step(event.clock, step.id, kBindId, Role::End, ticks, dur);
      default:
        return;
    }
  }

  void add_step(uint32_t clock, uint64_t id, KeyKind kind, Role role, int64_t ticks, int64_t dur) {
    const bool is_global = is_evidently_global(id);
    add(clock, {.key = mix(kind, id), .id = id, .role = role, .is_global = is_global}, ticks, dur);
  }

  void add_legacy(const Event& event, Role role) {
    StringId text;
    if (event.extra < batch_->flow_extras.size()) text = batch_->flow_extras[event.extra].text_id;
    const auto id = static_cast<uint64_t>(event.value);
    const auto hash = [&](StringId s) { return s ? fnv1a(batch_->strings.get(s)) : 0; };
    if (text ? !joins(join_, batch_->strings.get(text)) : !joins(join_, id)) return;
    uint64_t key = mix(kLegacy, text ? hash(text) : id);
    key = mix(mix(key, hash(event.name)), hash(event.category));
    const bool is_global =
        text ? is_evidently_global(batch_->strings.get(text)) : is_evidently_global(id);
    add(event.clock, {.key = key, .id = id, .role = role, .is_global = is_global}, event.ts, 0);
  }

  // Sets recording and times.
  void add(uint32_t clock, FlowMoment moment, int64_t ticks, int64_t dur) {
    moment.recording = recordings_.of(clock);
    if (moment.recording == kNone ||
        __builtin_mul_overflow(ticks, batch_->clocks[clock].tick_ns, &moment.cause) ||
        __builtin_add_overflow(moment.cause, dur, &moment.effect))
      return;
    all_.moments.push_back(moment);
  }

  std::span<const BatchTrackers> batches_;
  size_t first_;
  const EventKinds& kinds_;
  JoinFlows join_;
  FlowMoments& all_;
  const EventBatch* batch_ = nullptr;
  RecordingIndex recordings_;
  absl::flat_hash_map<uint32_t, std::vector<const Event*>> open_;  // slices, by track
};

}  // namespace

FlowMoments read_flows(std::span<const FileToLocate> files, const Trackers& trackers,
                       const EventKinds& kinds, JoinFlows join) {
  FlowMoments all;
  if (trackers.all.size() < 2 || join == JoinFlows::None) return all;
  for_each_file(trackers, [&](size_t file, std::span<const BatchTrackers> batches, size_t first) {
    FlowReader(files[file], batches, first, kinds, join, all).read();
  });
  return all;
}

}  // namespace tracebraid::align
