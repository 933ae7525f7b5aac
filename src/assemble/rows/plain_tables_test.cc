#include "assemble/rows/plain_tables.h"

#include <gtest/gtest.h>

#include "assemble/test_trace.h"
#include "event/row.h"

namespace tracebraid {
namespace {

TEST(PlainTables, CellsGoToTheirColumnsAndTheRestIsNull) {
  TestTrace trace;
  const uint32_t process = trace.process(7);
  trace.sink.event(RowWriter(trace.sink, "filedescriptor")
                       .text("path", "/tmp/x")
                       .process("upid", process)
                       .integer("fd", 3)
                       .finish({50}));
  trace.build();
  const FiledescriptorTable& table = trace.store.filedescriptor;
  ASSERT_EQ(table.rows(), 1U);
  EXPECT_EQ(table.fd[0].value, 3);
  EXPECT_EQ(table.ufd[0].value, OptInt::kNull);
  EXPECT_EQ(table.ts[0].value, 50);
  EXPECT_EQ(trace.store.processes.pid[table.upid[0].row], 7);
  EXPECT_EQ(trace.name_of(table.path[0]), "/tmp/x");
}

TEST(PlainTables, RowsAreInTheOrderOfTime) {
  TestTrace trace;
  for (const int64_t ts : {30, 10, 20})
    trace.sink.event(
        RowWriter(trace.sink, "android_user_list").integer("android_user_id", ts).finish({ts}));
  trace.build();
  const auto ids = trace.store.android_user_list.android_user_id.values();
  EXPECT_EQ(std::vector<int64_t>(ids.begin(), ids.end()), (std::vector<int64_t>{10, 20, 30}));
}

TEST(PlainTables, RowsReferToEarlierRowsAndToTracks) {
  TestTrace trace;
  const uint32_t track = trace.async_track("dumps", 0);
  trace.sink.event(RowWriter(trace.sink, "memory_snapshot")
                       .text("detail_level", "detailed")
                       .track("track_id", track)
                       .finish({1}));
  trace.sink.event(RowWriter(trace.sink, "memory_snapshot").finish({2}, kNone, 77));
  trace.sink.event(
      RowWriter(trace.sink, "process_memory_snapshot").row("snapshot_id", 77).finish({3}));
  trace.sink.event(
      RowWriter(trace.sink, "process_memory_snapshot").row("snapshot_id", 5).finish({4}));
  trace.build();
  const MemorySnapshotTable& snapshots = trace.store.memory_snapshot;
  ASSERT_EQ(snapshots.rows(), 2U);
  EXPECT_EQ(trace.name_of(trace.store.tracks.name[snapshots.track_id[0].row]), "dumps");
  EXPECT_EQ(snapshots.track_id[1].row, OptRow::kNull);
  const ProcessMemorySnapshotTable& processes = trace.store.process_memory_snapshot;
  ASSERT_EQ(processes.rows(), 2U);
  EXPECT_EQ(processes.snapshot_id[0].row, 1U);
  EXPECT_EQ(processes.snapshot_id[1].row, OptRow::kNull);
}

TEST(PlainTables, ArgSetOfARow) {
  TestTrace trace;
  const uint32_t args = trace.args({{"k", 4}});
  trace.sink.event(
      RowWriter(trace.sink, "vulkan_memory_allocations").integer("heap", 2).finish({1}, args));
  trace.build();
  ASSERT_EQ(trace.store.vulkan_memory_allocations.rows(), 1U);
  EXPECT_EQ(trace.args_of(trace.store.vulkan_memory_allocations.arg_set_id[0].row), "k=4 ");
}

TEST(PlainTables, EqualSharedRowsAreOne) {
  TestTrace trace;
  const auto rect = [&](double x, int64_t ts, int64_t number) {
    trace.sink.event(
        RowWriter(trace.sink, "winscope_rect").real("x", x).finish({ts}, kNone, number));
    trace.sink.event(
        RowWriter(trace.sink, "winscope_fill_region").row("rect_id", number).finish({ts}, kNone));
  };
  rect(1, 1, 7);          // a row of its own
  rect(1, 2, -8);         // shared
  rect(1 + 1e-9, 3, -9);  // equal within 10^-6
  rect(2, 4, -9);         // the number is used again
  trace.build();
  EXPECT_EQ(trace.store.winscope_rect.rows(), 3U);
  std::vector<uint32_t> rects;
  for (const OptRow row : trace.store.winscope_fill_region.rect_id.values())
    rects.push_back(row.row);
  EXPECT_EQ(rects, (std::vector<uint32_t>{0, 1, 1, 2}));
}

}  // namespace
}  // namespace tracebraid
