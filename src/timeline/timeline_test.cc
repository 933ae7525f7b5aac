#include "timeline/timeline.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "timeline/events/event.h"
#include "timeline/test_store.h"
#include "timeline/tiles/tiles.h"
#include "timeline/tracks/scheduling_ends.h"
#include "timeline/tree/find.h"

namespace tracebraid::timeline {
namespace {

std::vector<TileRequest> requests_over(const Timeline& timeline, size_t count) {
  std::mt19937_64 random(2);
  std::vector<TileRequest> requests;
  const auto span = static_cast<uint64_t>(timeline.store().trace_end);
  while (requests.size() < count) {
    const auto level = static_cast<unsigned>(random() % 30);
    const auto node = static_cast<uint32_t>(random() % timeline.tracks().size());
    const auto tile = static_cast<int64_t>(random() % span) >> (level + kTileBits);
    requests.push_back({.node = node, .range = {level, tile, 2}});
  }
  return requests;
}

std::vector<std::string> frames_with(const Store& store, unsigned threads, uint64_t memory) {
  Timeline timeline(store, {.threads = threads, .memory = memory});
  EXPECT_TRUE(timeline.prepare(Stop()));
  std::vector<std::string> frames;
  for (const TileRequest& request : requests_over(timeline, 300)) {
    Result<std::string> frame = make_tiles(timeline, request, Stop());
    EXPECT_TRUE(frame);
    EXPECT_EQ(frame_size(*frame), frame->size());
    set_request(*frame, 0, 0, true);
    frames.push_back(*std::move(frame));
  }
  return frames;
}

// Appends a slice of the first track.
void append_slice(Store& store, int64_t ts, int64_t dur, uint32_t depth) {
  store.slices.ts.append(ts);
  store.slices.dur.append(dur);
  store.slices.track_id.append(0);
  store.slices.depth.append(depth);
  store.slices.category.append(StringId());
  store.slices.name.append(StringId());
  store.slices.parent_id.append({});
  store.slices.arg_set_id.append({});
}

TEST(Timeline, AnswersDoNotDependOnThreadsOrMemory) {
  Store store;
  fill_store(store, {.slices = 200'000, .tracks = 30});
  const std::vector<std::string> expected = frames_with(store, 1, 1 << 30);
  EXPECT_EQ(frames_with(store, 2, 1 << 30), expected);
  EXPECT_EQ(frames_with(store, 7, 1 << 30), expected);
  EXPECT_EQ(frames_with(store, 2, 1), expected);  // each index is dropped at once
}

TEST(Timeline, SummariesAreKept) {
  Store store;
  fill_store(store, {.slices = 10'000, .tracks = 10});
  Timeline timeline(store, {.threads = 2});
  ASSERT_TRUE(timeline.prepare(Stop()));
  const uint32_t top = timeline.tree(Grouping::MachineFile).nodes.front().number;
  const TileRequest request{.node = top, .range = {20, 0, 2}, .mode = TileMode::Summary};
  Result<std::string> first = make_tiles(timeline, request, Stop());
  ASSERT_TRUE(first);
  EXPECT_NE((*first)[21] & frame_flags::kCold, 0);
  const uint64_t kept = timeline.answers().bytes();
  EXPECT_GT(kept, first->size());
  const Result<std::string> second = make_tiles(timeline, request, Stop());
  ASSERT_TRUE(second);
  EXPECT_EQ(timeline.answers().bytes(), kept);
  set_request(*first, 0, 0, true);
  EXPECT_EQ(*second, *first);
}

TEST(Timeline, AnswersOfLongTracksDoNotDependOnThreads) {
  Store store;
  fill_store(store, {.slices = 200'000, .tracks = 2, .depth = 3});
  const std::vector<std::string> expected = frames_with(store, 1, 1 << 30);
  EXPECT_EQ(frames_with(store, 2, 1 << 30), expected);
  EXPECT_EQ(frames_with(store, 5, 1 << 30), expected);
}

TEST(Timeline, TheIndexTakesAtMost8BytesASlice) {
  Store store;
  fill_store(store, {.slices = 2'000'000, .tracks = 100});
  Timeline timeline(store, {.threads = 2});
  ASSERT_TRUE(timeline.prepare(Stop()));
  bool was_cold = false;
  for (uint32_t track = 0; track < timeline.tracks().size(); ++track)
    timeline.index(track, was_cold);
  const double rows = static_cast<double>(timeline.row_list_bytes()) / 2e6;
  const double columns = static_cast<double>(timeline.index_bytes()) / 2e6;
  EXPECT_LE(rows + columns, 8) << rows << " of rows and " << columns << " of columns";
  RecordProperty("bytes_a_slice", std::to_string(rows + columns));
}

TEST(Timeline, PlacesOfEventsLeadBackToTheirRows) {
  Store store;
  fill_store(store, {.slices = 20'000, .tracks = 7});
  Timeline timeline(store, {});
  ASSERT_TRUE(timeline.prepare(Stop()));
  bool was_cold = false;
  for (uint32_t row = 0; row < 20'000; row += 37) {
    const Timeline::Place place = timeline.place_of(TableKind::Slice, row);
    const auto index = timeline.index(place.track, was_cold);
    EXPECT_EQ(row_of(*index, timeline.lists(TableKind::Slice), place.line, place.event), row);
    EXPECT_EQ(timeline.tracks()[place.track].utid.row, store.slices.track_id[row]);
  }
  EXPECT_EQ(timeline.place_of(TableKind::Slice, 20'000).track, kNoNode);
  EXPECT_EQ(timeline.place_of(TableKind::Sched, 0).track, kNoNode);
}

TEST(Timeline, PreparingIsCancelled) {
  Store store;
  fill_store(store, {.slices = 1000});
  Timeline timeline(store, {});
  Stop stop;
  stop.request();
  const Result<> prepared = timeline.prepare(stop);
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().code, ErrorCode::Cancelled);
}

TEST(Timeline, DamagedTablesAreAnError) {
  Store store;
  fill_store(store, {.slices = 1000});
  Timeline timeline(store, {.verify = [](std::string_view table) -> Result<> {
                      if (table == SliceTable::kName) return fail(ErrorCode::BadInput, "damaged");
                      return {};
                    }});
  EXPECT_FALSE(timeline.prepare(Stop()));
}

TEST(Timeline, TooManyItemsAreAnsweredWithCoarserTiles) {
  Store store;
  fill_store(store, {.slices = 0, .tracks = 1});
  // 300 lines of 8192 buckets with an event each are more items than one frame has.
  for (int64_t ts = 0; ts < 8192; ++ts)
    for (uint32_t depth = 0; depth < 300; ++depth) {
      append_slice(store, ts, 0, depth);
    }
  Timeline timeline(store, {});
  ASSERT_TRUE(timeline.prepare(Stop()));
  const Result<std::string> frame = make_tiles(timeline, {.range = {0, 0, 16}}, Stop());
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame_size(*frame), frame->size());
  EXPECT_LE(frame->size(), size_t{32} << 20);
  EXPECT_EQ((*frame)[20], 2) << "the level: two levels coarser are few enough";
  EXPECT_NE((*frame)[21] & frame_flags::kCoarser, 0);
}

// Returns `busy` and flags of the items of a frame of slices.
std::vector<std::pair<uint32_t, uint8_t>> busy_of(std::string_view frame) {
  uint32_t items = 0;
  std::memcpy(&items, frame.data() + 36, sizeof items);
  const size_t column = (4 * size_t{items} + 7) / 8 * 8, lines = (2 * size_t{items} + 7) / 8 * 8;
  std::vector<std::pair<uint32_t, uint8_t>> all;
  for (size_t i = 0; i < items; ++i) {
    uint32_t busy = 0;
    std::memcpy(&busy, frame.data() + kFrameHeadBytes + 5 * column + 4 * i, sizeof busy);
    const char flags = frame[kFrameHeadBytes + 6 * column + lines + i];
    all.emplace_back(busy, static_cast<uint8_t>(flags));
  }
  return all;
}

TEST(Timeline, SlicesHaveTheirCpuTimeFromWhereTheyAreSeen) {
  Store store;
  fill_store(store, {.slices = 0, .tracks = 1});
  // Known; unknown; not finished; more than the slice is long; the whole of the tiles.
  constexpr int64_t kMissing = OptInt::kNull;
  const std::vector<std::array<int64_t, 3>> slices = {
      {0, 400, 100}, {400, 50, kMissing}, {450, 30, -1}, {480, 20, 70}, {500, 5000, 600}};
  for (const auto& [ts, dur, cpu] : slices) {
    if (cpu != kMissing)
      store.slices.thread_dur.set(static_cast<uint32_t>(store.slices.ts.size()), cpu);
    append_slice(store, ts, dur, 0);
  }
  Timeline timeline(store, {});
  ASSERT_TRUE(timeline.prepare(Stop()));
  const auto frame = [&](int64_t first) {
    Result<std::string> made = make_tiles(timeline, {.range = {0, first, 1}}, Stop());
    EXPECT_TRUE(made);
    return busy_of(*made);
  };
  using item_flags::kCpuTime, item_flags::kGoesOn, item_flags::kBefore;
  using Items = std::vector<std::pair<uint32_t, uint8_t>>;
  EXPECT_EQ(frame(0), (Items{{100 * 256, kCpuTime},
                             {50 * 256, 0},
                             {30 * 256, 0},
                             {20 * 256, kCpuTime},
                             {600 * 256, kCpuTime | kGoesOn}}));
  EXPECT_EQ(frame(1), (Items{{(600 - 12) * 256, kCpuTime | kBefore | kGoesOn}}));
  EXPECT_EQ(frame(3), (Items{{0, kCpuTime | kBefore | kGoesOn}}));
}

TEST(SchedulingEnds, AreThoseOfEachMachinesRecording) {
  Store store;
  store.trace_end = 1'000'000;
  for (uint32_t machine = 0; machine < 3; ++machine) {
    store.machines.raw_id.append(machine);
    store.machines.name.append(StringId());
    store.threads.machine_id.append(machine);
    store.threads.tid.append(machine);
    if (machine == 2) continue;  // has no CPUs
    store.cpus.cpu.append({machine});
    store.cpus.machine_id.append(machine);
  }
  for (const auto& [ts, cpu] : {std::pair{10, 0U}, std::pair{20, 1U}, std::pair{30, 0U}}) {
    store.sched.ts.append(ts);
    store.sched.ucpu.append(cpu);
  }
  store.ftrace_events.ts.append(25);
  store.ftrace_events.ucpu.append(1);
  store.thread_states.ts.append(28);
  store.thread_states.utid.append(0);
  const SchedulingEnds ends(store);
  EXPECT_EQ(ends.of_machine(0), 30);
  EXPECT_EQ(ends.of_machine(1), 25);
  EXPECT_EQ(ends.of_machine(2), store.trace_end);
  EXPECT_EQ(ends.of_machine(7), store.trace_end);
}

TEST(Timeline, DetailsNameTheContextsOfASlice) {
  Store store;
  fill_store(store, {.slices = 10, .tracks = 1});
  JsonContextTable& contexts = store.json.contexts;
  for (const char* const id : {"0x1", "0x2"}) {
    contexts.object_id.append(store.strings.intern(id));
    contexts.type_name.append(store.strings.intern("Ctx"));
  }
  for (const auto& [slice, context] : {std::pair{3U, 0U}, std::pair{4U, 0U}, std::pair{4U, 1U}}) {
    store.json.slice_contexts.slice_id.append(slice);
    store.json.slice_contexts.context_id.append(context);
  }
  Timeline timeline(store, {});
  ASSERT_TRUE(timeline.prepare(Stop()));
  EXPECT_TRUE(fields_of(timeline, TableKind::Slice, 2).empty());
  const std::vector<EventField> one = fields_of(timeline, TableKind::Slice, 3);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].name, "contexts");
  EXPECT_EQ(one[0].value, "Ctx 0x1");
  EXPECT_EQ(fields_of(timeline, TableKind::Slice, 4)[0].value, "Ctx 0x1, Ctx 0x2");
}

TEST(FindNodes, PrefersAdjacentLettersAndBeginningsOfWords) {
  EXPECT_EQ(fit_of("xyz", "main"), 0U);
  EXPECT_GT(fit_of("rt", "RenderThread"), 0U);
  EXPECT_GT(fit_of("main", "main"), fit_of("main", "m a i n"));
  EXPECT_GT(fit_of("gpu", "a gpu track"), fit_of("gpu", "agpu track"));
  EXPECT_GT(fit_of("gpu", "big thing gpu"), fit_of("gpu", "big pipe unit"));
}

}  // namespace
}  // namespace tracebraid::timeline
