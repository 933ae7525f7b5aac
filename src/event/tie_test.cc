#include "event/tie.h"
#include "event/event_kind.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>

namespace tracebraid {
namespace {

// Track 0 and 1 are threads, track 2 is an async track.
std::vector<TrackName> tracks() {
  std::vector<TrackName> list(3);
  list[2].lanes = Lanes::ByCookie;
  return list;
}

Event event(EventKind kind, int64_t ts, uint32_t name, int64_t value = 0, uint32_t track = 0) {
  Event event{};
  event.kind = static_cast<uint32_t>(kind);
  event.ts = ts;
  event.value = value;
  event.name.row = name;
  event.category = {};
  event.track = track;
  return event;
}

constexpr auto B = EventKind::SliceBegin;
constexpr auto E = EventKind::SliceEnd;
constexpr auto X = EventKind::Slice;

// Positions in the file of events of one time, in their final order.
std::string ordered(std::vector<Event> events) {
  sort_stream(events, TieRule::TraceEventFormat);
  const int64_t at = events.front().ts;
  std::vector<TiedEvent> tied;
  for (uint32_t i = 0; i < events.size() && events[i].ts == at; ++i)
    tied.push_back({&events[i], 0, i});
  order_ties(tracks(), tied);
  std::string text;
  for (const TiedEvent& one : tied) text += static_cast<char>('0' + one.position);
  return text;
}

TEST(OrderTies, EndsThenLongestThenRest) {
  EXPECT_EQ(ordered({event(B, 5, 1), event(X, 5, 2, 10, 1), event(X, 5, 3, 20, 1),
                     event(X, 5, 4, 0, 1), event(E, 5, 9)}),
            "42103");
}

TEST(OrderTies, EqualDurationsKeepFileOrder) {
  EXPECT_EQ(ordered({event(X, 5, 1, 7), event(X, 5, 2, 7), event(X, 5, 3, 8)}), "201");
}

TEST(OrderTies, ZeroLengthPairStaysTogether) {
  EXPECT_EQ(ordered({event(B, 5, 1), event(E, 5, 1), event(X, 5, 2, 3, 1)}), "201");
  // An end with another name closes an older slice.
  EXPECT_EQ(ordered({event(B, 5, 1), event(E, 5, 2)}), "10");
  // One begin has one end only.
  EXPECT_EQ(ordered({event(B, 5, 1), event(E, 5, Id<struct StringTag>::kNone),
                     event(E, 5, Id<struct StringTag>::kNone)}),
            "201");
}

TEST(OrderTies, EndsOfAsyncSlicesKeepFileOrder) {
  EXPECT_EQ(ordered({event(B, 5, 1), event(E, 5, 1, 0, 2)}), "01");
}

TEST(OrderTies, BeginThatLastsLongerGoesBeforeComplete) {
  EXPECT_EQ(ordered({event(B, 5, 1), event(X, 5, 2, 10), event(E, 15, 1)}), "01");
  EXPECT_EQ(ordered({event(B, 5, 1), event(X, 5, 2, 10), event(E, 14, 1)}), "10");
  EXPECT_EQ(ordered({event(B, 5, 1), event(X, 5, 2, 10)}), "01");     // never ends
  EXPECT_EQ(ordered({event(X, 5, 2, 10), event(B, 5, 1)}), "01");     // after it in the file
  EXPECT_EQ(ordered({event(B, 5, 1), event(X, 5, 2, 10, 1)}), "10");  // another thread
}

TEST(OrderTies, FlowEndGoesBeforeTheNextSlice) {
  EXPECT_EQ(ordered({event(EventKind::FlowEnd, 5, 1), event(X, 5, 2, 10)}), "01");
  EXPECT_EQ(ordered({event(X, 5, 2, 10), event(EventKind::FlowEnd, 5, 1)}), "01");
  EXPECT_EQ(ordered({event(X, 5, 2, 10), event(EventKind::FlowEnd, 5, 1), event(X, 5, 3, 8)}),
            "012");
}

TEST(SortStream, EqualsStableSort) {
  std::mt19937 random(5);
  for (int round = 0; round < 100; ++round) {
    std::vector<Event> events(random() % 200);
    for (size_t i = 0; i < events.size(); ++i)
      events[i] = event(B, static_cast<int64_t>(random() % 60) - 20, static_cast<uint32_t>(i));
    std::vector<Event> expected = events;
    std::ranges::sort(expected, {}, [](const Event& e) { return std::pair(e.ts, e.name.row); });
    sort_stream(events, TieRule::FileOrder);
    for (size_t i = 0; i < events.size(); ++i) EXPECT_EQ(events[i].name.row, expected[i].name.row);
  }
}

// Times near each other, and as far apart as possible.
TEST(SortStream, ManyEventsEqualStableSort) {
  std::mt19937_64 random(6);
  for (const int bits : {1, 10, 23, 40, 50, 63}) {
    std::vector<Event> events(5000);
    for (size_t i = 0; i < events.size(); ++i)
      events[i] = event(B, static_cast<int64_t>(random() >> (64 - bits)) - (int64_t{1} << 30),
                        static_cast<uint32_t>(i));
    events[7].ts = bits == 63 ? std::numeric_limits<int64_t>::min() : events[7].ts;
    std::vector<Event> expected = events;
    std::ranges::sort(expected, {}, [](const Event& e) { return std::pair(e.ts, e.name.row); });
    sort_stream(events, TieRule::FileOrder);
    for (size_t i = 0; i < events.size(); ++i)
      ASSERT_EQ(events[i].name.row, expected[i].name.row) << bits;
  }
}

}  // namespace
}  // namespace tracebraid
