#include "build/event_order.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <tuple>

namespace tracebraid {
namespace {

// Pieces of a file whose events lie in between each other, often at the same time.
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
    for_each_in_order(
        tracks_, batches_, runs(), workers,
        [&](const Event& event, uint32_t batch, uint64_t sequence) {
          all.emplace_back(&event, batch, sequence);
        },
        [&](const Event& event, uint32_t, bool very) {
          if (!very) return;
          EXPECT_TRUE(all.empty() || std::get<0>(all.back()) != &event);
        });
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
  EXPECT_THROW(for_each_in_order(
                   tracks_, batches_, runs(), workers,
                   [](const Event&, uint32_t, uint64_t) { throw std::runtime_error("full"); },
                   [](const Event&, uint32_t, bool) {}),
               std::runtime_error);
}

}  // namespace
}  // namespace tracebraid
