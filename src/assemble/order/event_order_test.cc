#include "assemble/order/event_order.h"
#include "event/event_kind.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <stdexcept>
#include <tuple>

namespace tracebraid {
namespace {

// Counts requested and finished work, in two parts each.
class SideWork {
 public:
  void begin_help(std::function<void()> on_more) { on_more_ = std::move(on_more); }
  void end_help() { on_more_ = nullptr; }
  void ask() {
    ++asked_;
    if (on_more_) on_more_();
  }
  bool help() { return ++done_ % 2 != 0; }
  bool is_helped() const { return on_more_ != nullptr; }
  size_t asked() const { return asked_; }
  size_t done() const { return done_; }

 private:
  std::function<void()> on_more_;
  size_t asked_ = 0;
  std::atomic<size_t> done_ = 0;
};

// Batches of a file whose events interleave, often at equal times.
class EventOrderTest : public testing::Test {
 protected:
  EventOrderTest() : batches_(3) {
    for (uint32_t i = 0; i < batches_.size(); ++i) {
      EventBatch& batch = batches_[i].batch;
      batch.tie_rule = TieRule::TraceEventFormat;
      batch.streams.resize(1);
      for (int64_t k = 0; k < 40'000; ++k) {
        Event event{};
        event.ts = k / 3 + i;
        event.value = k % 5;
        event.kind = static_cast<uint32_t>(k % 2 == 0 ? EventKind::Slice : EventKind::Instant);
        batch.streams[0].events.push_back(event);
      }
    }
  }
  std::vector<tracebraid::Run> runs() const {
    std::vector<tracebraid::Run> runs;
    for (uint32_t i = 0; i < batches_.size(); ++i) {
      const std::vector<Event>& events = batches_[i].batch.streams[0].events;
      runs.push_back({events.data(), events.data() + events.size(), i, i});
    }
    return runs;
  }
  auto visited(unsigned threads) {
    Workers workers(threads);
    std::vector<std::tuple<const Event*, uint32_t, uint64_t>> all;
    SideWork side;
    for_each_in_order(tracks_, batches_, runs(), workers, side,
                      [&](const Event& event, uint32_t batch, uint64_t sequence) {
                        if (all.size() % 1000 == 0) side.ask();
                        all.emplace_back(&event, batch, sequence);
                      });
    EXPECT_LE(side.done(), 2 * side.asked());
    EXPECT_FALSE(side.is_helped());
    return all;
  }
  std::vector<TrackName> tracks_{1};
  std::vector<PlacedBatch> batches_;
};

TEST_F(EventOrderTest, IsTheSameOnAnotherThread) {
  const auto here = visited(1);
  ASSERT_EQ(here.size(), 120'000U);
  EXPECT_EQ(visited(2), here);
  EXPECT_EQ(visited(4), here);
}

TEST_F(EventOrderTest, EndsWhenAVisitFails) {
  Workers workers(2);
  SideWork side;
  EXPECT_THROW(
      for_each_in_order(tracks_, batches_, runs(), workers, side,
                        [](const Event&, uint32_t, uint64_t) { throw std::runtime_error("full"); }),
      std::runtime_error);
}

Event thread_event(EventKind kind, int64_t ts, int64_t value = 0) {
  Event event{};
  event.kind = static_cast<uint32_t>(kind);
  event.ts = ts;
  event.value = value;
  return event;
}

// Returns the kinds of the events in order. Each batch has a stream of its own.
std::string order_of(const std::vector<std::vector<Event>>& chunks) {
  std::vector<PlacedBatch> batches(chunks.size());
  std::vector<tracebraid::Run> runs;
  for (uint32_t i = 0; i < chunks.size(); ++i) {
    batches[i].batch.tie_rule = TieRule::TraceEventFormat;
    std::vector<Event>& events = batches[i].batch.streams.emplace_back().events;
    events = chunks[i];
    sort_stream(events, TieRule::TraceEventFormat);
    runs.push_back({events.data(), events.data() + events.size(), i, i});
  }
  std::string text;
  const std::vector<TrackName> tracks(1);
  for_each_in_order(tracks, batches, runs, [&](const Event& event, uint32_t, uint64_t) {
    text += event.what() == EventKind::SliceBegin ? 'B'
            : event.what() == EventKind::SliceEnd ? 'E'
                                                  : 'X';
  });
  return text;
}

// A begin goes before a complete slice of its time if it lasts as long, wherever the file is
// divided.
TEST(EventOrder, BeginsAtTheBordersOfChunks) {
  const Event begin = thread_event(EventKind::SliceBegin, 10);
  const Event complete = thread_event(EventKind::Slice, 10, 5);
  const Event inner = thread_event(EventKind::SliceBegin, 11);
  const Event inner_end = thread_event(EventKind::SliceEnd, 12);
  for (const int64_t end_ts : {14, 15}) {
    const Event end = thread_event(EventKind::SliceEnd, end_ts);
    const std::string expected = end_ts < 15 ? "XBBEE" : "BXBEE";
    EXPECT_EQ(order_of({{begin, complete, inner, inner_end, end}}), expected);
    EXPECT_EQ(order_of({{begin}, {complete, inner, inner_end, end}}), expected);
    EXPECT_EQ(order_of({{begin, complete}, {inner, inner_end, end}}), expected);
    EXPECT_EQ(order_of({{begin}, {inner}, {complete}, {inner_end}, {end}}), expected);
    EXPECT_EQ(order_of({{begin}, {complete}, {end}, {inner_end, inner}}), expected);
  }
  EXPECT_EQ(order_of({{begin}, {complete}}), "BX");  // never ends
  EXPECT_EQ(order_of({{complete}, {begin}}), "XB");
}

}  // namespace
}  // namespace tracebraid
