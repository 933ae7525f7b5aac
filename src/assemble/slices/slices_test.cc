#include "assemble/slices/slices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "assemble/stats.h"
#include "assemble/test_trace.h"
#include "event/event_kind.h"
#include "event/make_event.h"

namespace tracebraid {
namespace {

constexpr TieRule kJson = TieRule::TraceEventFormat;

TEST(Slices, BeginsAndEndsNest) {
  TestTrace trace;
  const uint32_t t = trace.thread_track(1, 2);
  trace.begin(10, t, "a");
  trace.begin(20, t, "b");
  trace.end(30, t);
  trace.instant(35, t, "i");
  trace.end(40, t);
  trace.begin(50, t, "open");
  trace.build();
  EXPECT_EQ(trace.slices(), "10 30 a 0; 20 10 b 1 in a; 35 0 i 1 in a; 50 -1 open 0; ");
}

TEST(Slices, InstantsAtOneTimeNest) {
  TestTrace trace;
  const uint32_t t = trace.thread_track(1, 2);
  trace.begin(10, t, "y");
  trace.end(20, t);
  trace.instant(20, t, "i1");
  trace.instant(20, t, "i2");
  trace.begin(20, t, "after");
  trace.build();
  EXPECT_EQ(trace.slices(), "10 10 y 0; 20 0 i1 0; 20 0 i2 1 in i1; 20 -1 after 0; ");
}

TEST(Slices, AnEndMayNameAnOuterSlice) {
  TestTrace trace;
  const uint32_t t = trace.thread_track(1, 2);
  trace.begin(10, t, "a");
  trace.begin(20, t, "b");
  trace.end(30, t, "a");
  trace.instant(32, t, "inner");
  trace.end(40, t, "b");
  trace.build();
  EXPECT_EQ(trace.slices(), "10 20 a 0; 20 10 b 1 in a; 32 0 inner 0; ");
  EXPECT_EQ(trace.stat(stats::misplaced_end_event), 1);
}

TEST(Slices, InnerEndsAtTheSameTimeAreNotMisplaced) {
  TestTrace trace;
  const uint32_t t = trace.thread_track(1, 2);
  trace.begin(0, t, "a");
  trace.begin(2, t, "b");
  trace.end(5, t, "a");
  trace.end(5, t, "b");
  trace.instant(6, t, "i");
  trace.build();
  EXPECT_EQ(trace.slices(), "0 5 a 0; 2 3 b 1 in a; 6 0 i 0; ");
  EXPECT_EQ(trace.stat(stats::misplaced_end_event), 0);
}

TEST(Slices, AnEndMayBeTheBeginOfItsSlice) {
  TestTrace trace;
  const uint32_t t = trace.async_track("lane", 1);
  const uint32_t u = trace.async_track("lane", 2);
  trace.begin(10, t, "left");
  trace.begin(20, u, "beside");
  trace.sink.event(make_slice_end_at_begin({.ticks = 30}, t, trace.args({{"missing", 1}})));
  trace.begin(30, t, "again");
  trace.end(40, t);
  trace.build();
  EXPECT_EQ(trace.slices(), "10 0 left 0; 20 -1 beside 0; 30 10 again 0; ");
  EXPECT_EQ(trace.args_of(trace.store.slices.arg_set_id[0].row), "missing=1 ");
}

TEST(Slices, TooDeepOnesAreDropped) {
  TestTrace trace;
  const uint32_t t = trace.thread_track(1, 2);
  for (int i = 0; i < 514; ++i) trace.begin(i, t, "d");
  trace.build();
  EXPECT_EQ(trace.store.slices.rows(), 512U);
  EXPECT_EQ(trace.store.slices.depth[511], 511U);
  EXPECT_EQ(trace.stat(stats::slice_max_depth_exceeded), 2);
}

TEST(Slices, ProtoDropsHalfOverlaps) {
  TestTrace trace;
  const uint32_t t = trace.thread_track(1, 2);
  trace.slice(10, 20, t, "p");
  trace.slice(15, 5, t, "c");
  trace.slice(18, 30, t, "over");
  trace.slice(31, 3, t, "ok");
  trace.build();
  EXPECT_EQ(trace.slices(), "10 20 p 0; 15 5 c 1 in p; 31 3 ok 0; ");
  EXPECT_EQ(trace.stat(stats::slice_drop_overlapping_complete_event), 1);
}

TEST(Slices, JsonSpillsHalfOverlapsAndSaysSo) {
  TestTrace trace(kJson);
  const uint32_t t = trace.thread_track(1, 2);
  trace.slice(100'000, 100'000, t, "outer");
  trace.slice(150'000, 100'000, t, "cross");
  trace.build();
  EXPECT_EQ(trace.slices(), "100000 100000 outer 0; 150000 100000 cross 0; ");
  EXPECT_EQ(trace.name_of(trace.store.tracks.type[1]), "thread_overlapping_slice");
  ASSERT_EQ(trace.report.log.size(), 1U);
  EXPECT_EQ(trace.args_of(trace.report.log[0].arg_set_id),
            "overlap_start=150000 overlap_end=200000 conflicting_slice_name=outer "
            "conflicting_slice_ts=100000 conflicting_slice_dur=100000 event_name=cross "
            "event_phase=X ");
}

TEST(Slices, EndsThatRoundAlikeNest) {
  TestTrace trace(kJson);
  const uint32_t t = trace.thread_track(1, 2);
  trace.slice(0, 100'400, t, "a");
  trace.slice(50'200, 50'290, t, "b");  // ends 90 ns later
  trace.slice(100'450, 10, t, "c");     // after a, and therefore not in b
  trace.build();
  EXPECT_EQ(trace.slices(), "0 100400 a 0; 50200 50290 b 1 in a; 100450 10 c 0; ");
}

TEST(Slices, JsonEndsFallBackToTheName) {
  TestTrace trace(kJson);
  const uint32_t t = trace.thread_track(1, 2);
  Event begin = trace.event(EventKind::SliceBegin, 10, t, "a");
  begin.category = trace.sink.string("x");
  trace.sink.event(begin);
  Event end = trace.event(EventKind::SliceEnd, 20, t, "a");
  end.category = trace.sink.string("y");
  trace.sink.event(end);
  trace.end(30, t, "a");
  trace.build();
  EXPECT_EQ(trace.slices(), "10 10 a 0; ");
  EXPECT_EQ(trace.stat(stats::json_end_category_mismatch), 1);
  EXPECT_EQ(trace.stat(stats::json_end_without_begin), 1);
}

TEST(Slices, ThreadTimeIsThatOfBothEnds) {
  TestTrace trace(kJson);
  const uint32_t t = trace.thread_track(1, 2);
  const auto with_times = [&](Event event, int64_t thread_ts, int64_t instructions) {
    event.extra = static_cast<uint32_t>(trace.batch.slice_extras.size());
    trace.batch.slice_extras.push_back({.thread_ts = thread_ts, .instruction_count = instructions});
    trace.sink.event(event);
  };
  trace.begin(5, t, "none");
  with_times(trace.event(EventKind::SliceBegin, 10, t, "a"), 100, 7);
  with_times(trace.event(EventKind::SliceBegin, 11, t, "b"), 110, 8);
  with_times(trace.event(EventKind::SliceEnd, 12, t, "b"), 115, 8);
  with_times(trace.event(EventKind::SliceEnd, 20, t, "a"), 150, 17);
  trace.build();
  const SliceTable& slices = trace.store.slices;
  EXPECT_EQ(slices.thread_ts.get(0), OptInt::kNull);
  EXPECT_EQ(slices.thread_ts.get(1), 100);
  EXPECT_EQ(slices.thread_dur.get(1), 50);
  EXPECT_EQ(slices.thread_dur.get(2), 5);
  EXPECT_EQ(slices.thread_instruction_delta.get(1), 10);
}

TEST(Slices, ArgsOfBothEndsAreOneSet) {
  TestTrace trace(kJson);
  const uint32_t t = trace.thread_track(1, 2);
  Event begin = trace.event(EventKind::SliceBegin, 10, t, "a");
  begin.args = trace.args({{"args.x", 1}, {"args.l[0]", 10}, {"args.l[1]", 11}});
  trace.sink.event(begin);
  Event end = trace.event(EventKind::SliceEnd, 20, t, "a");
  end.args = trace.args({{"args.x", 2}, {"args.y", 3}, {"args.l[0]", 12}});
  trace.sink.event(end);
  trace.build();
  EXPECT_EQ(trace.args_of(trace.store.slices.arg_set_id[0].row),
            "args.x=2 args.l[0]=10 args.l[1]=11 args.y=3 args.l[2]=12 ");
  EXPECT_EQ(trace.stat(stats::json_arg_override), 1);
}

TEST(Slices, LegacyStepsDivideTheirSlice) {
  TestTrace trace(kJson);
  const uint32_t t = trace.async_track("job", 7);
  trace.add(EventKind::SliceBeginOnce, 10, t, "job");
  trace.add(EventKind::AsyncStepBegin, 12, t, "read", 0);
  trace.begin(15, trace.thread_track(1, 2), "other");
  trace.add(EventKind::AsyncStepBegin, 20, t, "sum", 0);
  trace.add(EventKind::SliceBeginOnce, 21, t, "again");
  trace.end(30, t);
  trace.build();
  EXPECT_EQ(trace.slices(), "10 20 job 0; 10 2 read 1 in job; 12 8 sum 1 in job; 15 -1 other 0; ");
  EXPECT_EQ(trace.stat(stats::json_async_restart), 1);
}

TEST(Slices, RestartsOfAnUnnestableSliceAreCounted) {
  TestTrace trace;
  const uint32_t t = trace.async_track("S", 7);
  trace.add(EventKind::SliceBeginOnce, 10, t, "S");
  trace.add(EventKind::SliceBeginOnce, 12, t, "S");
  trace.end(30, t);
  trace.build();
  EXPECT_EQ(trace.slices(), "10 20 S 0; ");
  EXPECT_EQ(trace.args_of(trace.store.slices.arg_set_id[0].row),
            "legacy_unnestable_begin_count=2 legacy_unnestable_last_begin_ts=12 ");
}

// Random nested slices, given as complete slices in any order or as begins and ends. Depth and
// parent must be those of the tree.
struct Made {
  int64_t ts, end;
};

void make_tree(std::mt19937& random, const Made& around, uint32_t depth, std::vector<Made>& out) {
  int64_t at = around.ts;
  while (depth < 6 && at + 2 < around.end) {
    const int64_t ts = at + static_cast<int64_t>(random() % 4);
    const Made child{ts, ts + 1 + static_cast<int64_t>(random() % 40)};
    if (child.end > around.end) return;
    out.push_back(child);
    make_tree(random, child, depth + 1, out);
    at = child.end + static_cast<int64_t>(random() % 3);
  }
}

TEST(Slices, NestingEqualsTheTreeItCameFrom) {
  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    std::vector<Made> made;
    make_tree(random, {0, 200}, 0, made);
    // A child as long as its parent cannot be distinguished from it.
    std::ranges::sort(made, {}, [](const Made& one) { return std::pair(one.ts, -one.end); });
    TestTrace trace(kJson);
    const uint32_t t = trace.thread_track(1, 2);
    std::vector<size_t> order(made.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::shuffle(order, random);
    for (const size_t i : order) trace.slice(made[i].ts, made[i].end - made[i].ts, t, "s");
    trace.build();
    const SliceTable& slices = trace.store.slices;
    ASSERT_EQ(slices.rows(), made.size());
    std::vector<uint32_t> depths;
    for (size_t i = 0; i < made.size(); ++i) {
      // The oracle: the depth is the number of earlier slices that contain it.
      uint32_t around = 0;
      for (size_t j = 0; j < i; ++j)
        around += made[j].ts <= made[i].ts && made[j].end >= made[i].end;
      EXPECT_EQ(slices.ts[i], made[i].ts);
      EXPECT_EQ(slices.dur[i], made[i].end - made[i].ts);
      EXPECT_EQ(slices.depth[i], around);
      const uint32_t parent = slices.parent_id[i].row;
      EXPECT_EQ(parent == OptRow::kNull, around == 0);
      if (parent != OptRow::kNull) {
        EXPECT_EQ(slices.depth[parent] + 1, around);
      }
    }
    EXPECT_EQ(trace.store.tracks.rows(), made.empty() ? 0U : 1U);
  }
}

// Any events: the result must be a forest in which children lie inside their parents.
TEST(Slices, ChildrenNeverOutlastTheirParents) {
  std::mt19937 random(17);
  for (int round = 0; round < 200; ++round) {
    TestTrace trace(random() % 2 == 0 ? kJson : TieRule::FileOrder);
    const uint32_t t = trace.thread_track(1, 2);
    const std::string names[] = {"a", "b", "c"};
    for (int i = 0; i < 60; ++i) {
      const auto ts = static_cast<int64_t>(random() % 100) * 1000;
      const std::string& name = names[random() % 3];
      switch (random() % 4) {
        case 0:
          trace.begin(ts, t, name);
          break;
        case 1:
          trace.end(ts, t, random() % 2 == 0 ? name : "");
          break;
        case 2:
          trace.slice(ts, static_cast<int64_t>(random() % 30) * 1000, t, name);
          break;
        default:
          trace.instant(ts, t, name);
      }
    }
    trace.build();
    const SliceTable& slices = trace.store.slices;
    EXPECT_TRUE(std::ranges::is_sorted(slices.ts.values()));
    for (size_t i = 0; i < slices.rows(); ++i) {
      const uint32_t parent = slices.parent_id[i].row;
      if (parent == OptRow::kNull) {
        EXPECT_EQ(slices.depth[i], 0U);
        continue;
      }
      EXPECT_LT(parent, i);
      EXPECT_EQ(slices.depth[i], slices.depth[parent] + 1);
      EXPECT_EQ(slices.track_id[i], slices.track_id[parent]);
      EXPECT_GE(slices.ts[i], slices.ts[parent]);
      if (slices.dur[parent] >= 0) {
        EXPECT_LE(slices.ts[i], slices.ts[parent] + slices.dur[parent]);
      }
    }
  }
}

}  // namespace
}  // namespace tracebraid
