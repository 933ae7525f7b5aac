#include "assemble/placed_batch.h"

#include <gtest/gtest.h>

#include <bit>

#include "assemble/test_trace.h"
#include "event/event_kind.h"

namespace tracebraid {
namespace {

constexpr TieRule kJson = TieRule::TraceEventFormat;

TEST(Build, NothingGivesTheIdleRowsOnly) {
  TestTrace trace;
  trace.build();
  EXPECT_EQ(trace.store.threads.rows(), 1U);
  EXPECT_EQ(trace.store.trace_start, 0);
  EXPECT_EQ(trace.store.trace_end, 0);
}

TEST(Build, ZeroIsAnOrdinaryPidInJson) {
  TestTrace trace(kJson);
  trace.slice(1, 1, trace.thread_track(0, 0), "a");
  trace.build();
  EXPECT_EQ(trace.store.tracks.utid[0].row, 1U);
  EXPECT_EQ(trace.store.threads.upid[1].row, 1U);
  EXPECT_FALSE(trace.store.threads.name[0]);
}

TEST(Build, BoundsCountOpenSlicesWithTheirStart) {
  TestTrace trace;
  const uint32_t t = trace.thread_track(1, 2);
  trace.slice(-5, 20, t, "a");
  trace.begin(30, t, "open");
  trace.build();
  EXPECT_EQ(trace.store.trace_start, -5);
  EXPECT_EQ(trace.store.trace_end, 30);

  TestTrace point;
  point.instant(7, point.thread_track(1, 2), "i");
  point.build();
  EXPECT_EQ(point.store.trace_start, 7);
  EXPECT_EQ(point.store.trace_end, 8);
}

TEST(Build, LimitsOfTimeDoNotWrap) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  TestTrace trace;
  const uint32_t t = trace.thread_track(1, 2);
  trace.begin(kMin, t, "a");
  trace.slice(kMax - 1, kMax, t, "b");
  trace.end(kMax, t, "a");
  trace.build();
  EXPECT_EQ(trace.store.slices.dur[0], kMax);
  EXPECT_EQ(trace.store.trace_start, kMin);
}

// The tables do not show where a file was divided into chunks.
TEST(Build, PiecesOfAFileAreOne) {
  const auto build = [](std::initializer_list<size_t> cuts) {
    TestTrace trace(kJson);
    const uint32_t t = trace.thread_track(1, 2);
    trace.slice(10, 5, t, "child");  // the parent comes later in the file
    trace.begin(20, t, "zero");
    trace.end(20, t, "zero");
    trace.begin(30, t, "before");
    trace.slice(10, 100, t, "parent");
    trace.end(40, t, "before");
    trace.begin(40, t, "after");
    trace.end(50, t, "after");
    trace.build(cuts);
    return trace.slices();
  };
  const std::string whole = build({});
  EXPECT_EQ(whole,
            "10 100 parent 0; 10 5 child 1 in parent; 20 0 zero 1 in parent; "
            "30 10 before 1 in parent; 40 10 after 1 in parent; ");
  for (size_t cut = 1; cut < 8; ++cut) {
    EXPECT_EQ(build({cut}), whole) << cut;
    EXPECT_EQ(build({cut, cut + 1}), whole) << cut;
  }
}

TEST(Build, TracksOfOneThreadAreOneRow) {
  TestTrace trace;
  const uint32_t known = trace.thread_track(3, 7);
  const uint32_t tid_only = trace.sink.track({.scope = TrackScope::Thread,
                                              .owner = trace.thread(kNoId, 7),
                                              .type = trace.sink.string("thread_execution")});
  trace.begin(1, tid_only, "a");
  trace.begin(2, known, "b");
  trace.end(3, tid_only);
  trace.build();
  EXPECT_EQ(trace.slices(), "1 -1 a 0; 2 1 b 1 in a; ");
  EXPECT_EQ(trace.store.tracks.rows(), 1U);
  EXPECT_EQ(trace.args_of(trace.store.tracks.dimension_arg_set_id[0].row), "utid=1 ");
}

TEST(Build, LanesAreNamedByTheirFirstEvent) {
  TestTrace trace(kJson);
  const uint32_t one = trace.unnamed_async_track(1);
  const uint32_t two = trace.unnamed_async_track(2);
  const uint32_t three = trace.unnamed_async_track(3);
  trace.begin(10, one, "req");
  trace.begin(20, two, "req");
  trace.begin(30, one, "kid");
  trace.begin(35, three, "other");
  trace.end(50, one, "kid");
  trace.end(60, one, "req");
  trace.end(70, two);
  trace.build();
  EXPECT_EQ(trace.slices(), "10 50 req 0; 20 50 req 0; 30 20 kid 1 in req; 35 -1 other 0; ");
  const TrackTable& tracks = trace.store.tracks;
  ASSERT_EQ(tracks.rows(), 3U);
  EXPECT_EQ(trace.args_of(tracks.dimension_arg_set_id[1].row), "name=req track_compressor_idx=1 ");
  EXPECT_EQ(tracks.track_group_id[0].row, tracks.track_group_id[1].row);
  EXPECT_NE(tracks.track_group_id[0].row, tracks.track_group_id[2].row);
  EXPECT_EQ(trace.name_of(tracks.name[2]), "other");
}

TEST(Build, ParentsOfTracksHaveRows) {
  TestTrace trace;
  EventSink& sink = trace.sink;
  const uint32_t root = sink.track({.scope = TrackScope::Process,
                                    .root = true,
                                    .owner = trace.process(50),
                                    .type = sink.string("process_track_event")});
  const uint32_t child = sink.track({.scope = TrackScope::Process,
                                     .owner = trace.process(50),
                                     .type = sink.string("process_merged_track_event"),
                                     .name = sink.string("child"),
                                     .parent = root});
  const uint32_t grandchild = sink.track({.scope = TrackScope::Process,
                                          .events = TrackEvents::Counter,
                                          .owner = trace.process(50),
                                          .type = sink.string("process_counter_track_event"),
                                          .name = sink.string("grandchild"),
                                          .parent = child});
  trace.add(EventKind::Counter, 5, grandchild, {}, std::bit_cast<int64_t>(2.5));
  trace.build();
  const TrackTable& tracks = trace.store.tracks;
  ASSERT_EQ(tracks.rows(), 3U);
  EXPECT_EQ(tracks.parent_id[0].row, OptRow::kNull);
  EXPECT_EQ(tracks.parent_id[1].row, OptRow::kNull);  // its parent is the process
  EXPECT_EQ(tracks.parent_id[2].row, 1U);
  EXPECT_EQ(trace.name_of(tracks.event_type[2]), "counter");
  EXPECT_EQ(trace.store.counters.value[0], 2.5);
  EXPECT_EQ(trace.store.counters.track_id[0], 2U);
}

TEST(Build, StatesFollowOneAnother) {
  TestTrace trace;
  const uint32_t t = trace.sink.track({.events = TrackEvents::State});
  trace.add(EventKind::State, 10, t, "on");
  trace.add(EventKind::State, 20, t, "on");
  trace.add(EventKind::State, 30, t, "off");
  trace.add(EventKind::State, 40, t);
  trace.add(EventKind::State, 50, t, "on");
  trace.build();
  const StateTable& states = trace.store.states;
  ASSERT_EQ(states.rows(), 3U);
  EXPECT_EQ(states.dur[0], 20);
  EXPECT_EQ(states.dur[1], 10);
  EXPECT_EQ(states.dur[2], -1);
}

TEST(Build, ArgsNameProcessesByRow) {
  TestTrace trace;
  const uint32_t t = trace.thread_track(1, 2);
  trace.sink.open_args();
  const StringId key = trace.sink.string("upid");
  trace.sink.arg(trace.sink.arg_key({key, key}), ArgType::Process, trace.process(77));
  Event event = trace.event(EventKind::Instant, 5, t, "i");
  event.args = trace.sink.close_args();
  trace.sink.event(event);
  trace.build();
  EXPECT_EQ(trace.args_of(trace.store.slices.arg_set_id[0].row), "upid=2 ");
  EXPECT_EQ(trace.store.processes.pid[2], 77);
}

TEST(Build, EqualArgSetsAreOne) {
  TestTrace trace;
  const uint32_t t = trace.thread_track(1, 2);
  for (int i = 0; i < 3000; ++i) {
    Event event = trace.event(EventKind::Instant, i, t, "i");
    event.args = trace.args({{"debug.a", i % 1500}, {"debug.b", 1}});
    trace.sink.event(event);
  }
  trace.build();
  const SliceTable& slices = trace.store.slices;
  for (uint32_t i = 0; i < 1500; ++i) {
    EXPECT_EQ(slices.arg_set_id[i].row, slices.arg_set_id[i + 1500].row);
    EXPECT_EQ(trace.args_of(slices.arg_set_id[i].row),
              "debug.a=" + std::to_string(i) + " debug.b=1 ");
  }
}

TEST(Build, ArgsOfProcessesAddUp) {
  TestTrace trace(kJson);
  const auto say = [&](std::initializer_list<std::pair<std::string_view, int64_t>> values) {
    Event event = trace.event(EventKind::ProcessArgs, 0, trace.process(4));
    event.args = trace.args(values);
    trace.sink.untimed(event);
  };
  say({{"process_sort_index_hint", 3}});
  say({{"process_sort_index_hint", 5}, {"x", 1}});
  trace.build();
  EXPECT_EQ(trace.args_of(trace.store.processes.arg_set_id[1].row),
            "process_sort_index_hint=5 x=1 ");
}

}  // namespace
}  // namespace tracebraid
