// A Store with made-up slices, for tests and benchmarks of the timeline.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tables/store.h"

namespace tracebraid::timeline {

struct MadeSlices {
  uint64_t slices = 100'000;
  uint32_t tracks = 20, depth = 5;
  uint32_t busy_factor = 1;  // how many times more slices the first track has
  uint64_t seed = 1;
};

// Fills tables of machines, threads, tracks and slices: nested, in bursts with gaps between them.
inline void fill_store(Store& store, const MadeSlices& made) {
  std::mt19937_64 random(made.seed);
  // Most durations are short, few many times longer.
  const auto spread = [&](uint64_t typical) {
    const uint64_t bits = random();
    const unsigned doublings = static_cast<unsigned>(std::countr_zero(bits | 64));
    return static_cast<int64_t>(1 + (bits >> 8) % ((typical / 2) << doublings));
  };
  store.machines.raw_id.append(0);
  store.machines.name.append(store.strings.intern("machine"));
  const StringId slice = store.strings.intern("slice");
  std::vector<StringId> names;
  for (int i = 0; i < 200; ++i)
    names.push_back(store.strings.intern("function " + std::to_string(i)));
  for (uint32_t track = 0; track < made.tracks; ++track) {
    store.threads.tid.append(track + 1);
    store.threads.name.append(store.strings.intern("worker " + std::to_string(track)));
    store.threads.upid.append({});
    store.threads.machine_id.append(0);
    store.threads.arg_set_id.append({});
    store.tracks.name.append(StringId());
    store.tracks.parent_id.append({});
    store.tracks.machine_id.append(0);
    store.tracks.type.append(store.strings.intern("thread_execution"));
    store.tracks.dimension_arg_set_id.append({});
    store.tracks.track_group_id.append({});
    store.tracks.event_type.append(slice);
    store.tracks.counter_unit.append(StringId());
    store.tracks.utid.append({track});
    store.tracks.upid.append({});
    store.tracks.trace_id.append({});
    store.tracks.clock_id.append({});
  }
  struct Open {
    int64_t end;
    uint32_t row;
  };
  struct Lane {
    std::vector<Open> open;
    uint32_t left_in_burst = 0;
  };
  std::vector<Lane> lanes(made.tracks);
  using Next = std::pair<int64_t, uint32_t>;
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  for (uint32_t track = 0; track < made.tracks; ++track)
    next.emplace(static_cast<int64_t>(random() % 1'000'000), track);
  int64_t last = 0;
  for (uint32_t row = 0; row < made.slices; ++row) {
    auto [ts, track] = next.top();
    next.pop();
    Lane& lane = lanes[track];
    while (!lane.open.empty() && lane.open.back().end <= ts) lane.open.pop_back();
    const size_t depth = lane.open.size();
    const uint64_t factor = track == 0 ? made.busy_factor : 1;
    int64_t dur = spread(uint64_t{40'000} / (depth + 1) / factor + 2);
    if (depth > 0) dur = std::min(dur, lane.open.back().end - ts);
    store.slices.ts.append(ts);
    store.slices.dur.append(dur);
    store.slices.track_id.append(track);
    store.slices.depth.append(static_cast<uint32_t>(depth));
    store.slices.category.append(StringId());
    store.slices.name.append(names[std::min(random() % names.size(), random() % names.size())]);
    store.slices.parent_id.append({depth == 0 ? OptRow::kNull : lane.open.back().row});
    store.slices.arg_set_id.append({});
    last = std::max(last, ts + dur);
    if (depth + 1 < made.depth && dur > 4 && random() % 3 != 0) {
      lane.open.push_back({ts + dur, row});
      ts += spread(static_cast<uint64_t>(dur) / 4 + 2);
    } else {
      ts += dur + spread(2'000 / factor + 2);
    }
    if (lane.left_in_burst-- == 0) {
      lane.left_in_burst = static_cast<uint32_t>(random() % 400);
      ts += spread(2'000'000 / factor);
    }
    next.emplace(ts, track);
  }
  store.trace_end = last;
}

}  // namespace tracebraid::timeline
