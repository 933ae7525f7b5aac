#include "merge/place/early_ftrace.h"

#include <gtest/gtest.h>

#include "event/event_kind.h"
#include "event/sink.h"
#include "event/stats.h"
#include "event/stream_rank.h"

namespace tracebraid {
namespace {

class EarlyFtraceTest : public testing::Test {
 protected:
  EarlyFtraceTest() : batches_(1), sink_(batches_[0].batch) {
    batches_[0].file = FileId{0};
    batches_[0].machines = {MachineId{0}};
    batches_[0].clock_machines = {0};
  }
  void add(EventKind kind, int64_t ts, std::string_view name = "print", uint32_t rank = 1) {
    sink_.event(make(kind, ts, name), segment_rank(rank, 0));
  }
  void limit(std::string_view key, int64_t ts) {
    batches_[0].batch.timed_metadata.push_back(make(EventKind::MetadataTime, ts, key));
  }
  void drop() { drop_early_ftrace(batches_[0].batch.strings, batches_, bumps_); }
  // "ts:kind " for each event that is left.
  std::string left() const {
    std::string text;
    for (const Stream& stream : batches_[0].batch.streams)
      for (const Event& event : stream.events) {
        text += std::to_string(event.ts);
        text += event.what() == EventKind::FtraceEvent ? " event; "
                : event.what() == EventKind::FtraceRow ? " row; "
                                                       : " other; ";
      }
    return text;
  }
  std::vector<PlacedBatch> batches_;
  EventSink sink_;
  std::vector<StatBump> bumps_;

 private:
  Event make(EventKind kind, int64_t ts, std::string_view name) {
    Event event{};
    event.ts = ts;
    event.kind = static_cast<uint32_t>(kind);
    event.name = sink_.string(name);
    event.extra = kNone;
    return event;
  }
};

TEST_F(EarlyFtraceTest, DropsWhatWasBeforeTheRecording) {
  add(EventKind::SliceBegin, 5, "packet", 0);
  for (const int64_t ts : {10, 19, 20}) {
    add(EventKind::FtraceEvent, ts);
    add(EventKind::SliceBegin, ts);
  }
  limit("tracing_started_ns", 20);
  drop();
  EXPECT_EQ(left(), "5 other; 20 event; 20 other; ");
  ASSERT_EQ(bumps_.size(), 1U);
  EXPECT_EQ(bumps_[0].stat, stats::ftrace_packet_before_tracing_start);
  EXPECT_EQ(bumps_[0].value, 2);
}

TEST_F(EarlyFtraceTest, KeepsItWhereTheRecorderSaysSo) {
  add(EventKind::FtraceEvent, 10);
  limit("tracing_started_ns", 20);
  sink_.tally(stats::ftrace_packet_before_tracing_start, 0);
  drop();
  EXPECT_EQ(left(), "10 event; ");
  EXPECT_TRUE(bumps_.empty());
}

TEST_F(EarlyFtraceTest, OnlyRowsStayUntilAllCpusHaveData) {
  add(EventKind::FtraceEvent, 10);
  add(EventKind::SliceBegin, 10);
  add(EventKind::FtraceEvent, 11, "sched_switch");
  add(EventKind::SchedSwitch, 11);
  add(EventKind::FtraceEvent, 30);
  limit("ftrace_latest_data_start_ns", 15);
  limit("ftrace_latest_data_start_ns", 12);
  drop();
  EXPECT_EQ(left(), "10 row; 30 event; ");
  EXPECT_TRUE(bumps_.empty());
}

}  // namespace
}  // namespace tracebraid
