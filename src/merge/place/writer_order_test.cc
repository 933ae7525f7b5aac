#include "merge/place/writer_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace tracebraid {
namespace {

constexpr int64_t kMs = 1'000'000, kSecond = 1000 * kMs;
constexpr int64_t kBackBy = 20 * kSecond;

// A clock that is set back by 20 s at 60 s. Its segments can have shown [0, 61 s] and [39 s, 100
// s].
int64_t reading_at(int64_t moment) { return moment < 60 * kSecond ? moment : moment - kBackBy; }

std::vector<WriterOrder::Candidate> candidates_of(int64_t reading) {
  std::vector<WriterOrder::Candidate> found;
  if (reading <= 61 * kSecond) found.push_back({0, reading});
  if (reading >= 39 * kSecond) found.push_back({1, reading + kBackBy});
  return found;
}

// The chosen times of events at the given moments, in this order.
std::map<size_t, int64_t> choices_of(const std::vector<int64_t>& moments, WriterOrder& order) {
  for (size_t i = 0; i < moments.size(); ++i)
    order.add(static_cast<uint32_t>(i), candidates_of(reading_at(moments[i])));
  order.finish();
  std::map<size_t, int64_t> chosen;
  for (const WriterOrder::Choice& choice : order.choices())
    chosen[choice.event] = reading_at(moments[choice.event]) + (choice.segment == 1 ? kBackBy : 0);
  return chosen;
}

std::vector<int64_t> every(int64_t interval, int64_t first = 0, int64_t last = 120 * kSecond) {
  std::vector<int64_t> moments;
  for (int64_t at = first; at < last; at += interval) moments.push_back(at);
  return moments;
}

TEST(WriterOrder, ChoosesTheSegmentOfEachEvent) {
  WriterOrder order;
  const std::vector<int64_t> moments = every(50 * kMs);
  const std::map<size_t, int64_t> chosen = choices_of(moments, order);
  EXPECT_EQ(chosen.size(), 21U * 2 * 20 + 1) << "39 s to 60 s before the step, 40 s to 61 s after";
  for (const auto& [event, ts] : chosen) EXPECT_EQ(ts, moments[event]) << event;
  EXPECT_EQ(order.certain() + chosen.size(), moments.size());
  EXPECT_EQ(order.in_order(), order.certain());
}

TEST(WriterOrder, AFallDecidesWithoutOtherEvents) {
  WriterOrder order;
  const std::vector<int64_t> moments = every(kSecond, 45 * kSecond, 75 * kSecond);
  const std::map<size_t, int64_t> chosen = choices_of(moments, order);
  EXPECT_EQ(chosen.size(), moments.size());
  for (const auto& [event, ts] : chosen) EXPECT_EQ(ts, moments[event]) << event;
  EXPECT_EQ(order.certain(), 0U);
}

TEST(WriterOrder, ReadingsThatOnlyRiseAreNotDecided) {
  WriterOrder order;
  EXPECT_TRUE(choices_of(every(kSecond, 45 * kSecond, 59 * kSecond), order).empty());
  // The writer was silent for longer than the step, so that its readings do not fall.
  WriterOrder silent;
  EXPECT_TRUE(choices_of({45 * kSecond, 50 * kSecond, 72 * kSecond, 79 * kSecond}, silent).empty());
}

TEST(WriterOrder, EventsBetweenCertainOnesOfOneSegmentAreOfThatSegment) {
  WriterOrder order;
  order.add(0, std::vector<WriterOrder::Candidate>{{0, 40 * kSecond}});
  order.add(1, candidates_of(41 * kSecond));
  order.add(2, std::vector<WriterOrder::Candidate>{{0, 42 * kSecond}});
  order.add(3, candidates_of(43 * kSecond));
  order.finish();
  ASSERT_EQ(order.choices().size(), 1U);
  EXPECT_EQ(order.choices()[0].event, 1U);
  EXPECT_EQ(order.choices()[0].segment, 0U);
}

TEST(WriterOrder, TwoFallsOfOneStepDecideNothing) {
  WriterOrder order;
  const std::vector<int64_t> moments{45 * kSecond, 50 * kSecond, 66 * kSecond, 52 * kSecond,
                                     67 * kSecond};
  EXPECT_TRUE(choices_of(moments, order).empty());
}

TEST(WriterOrder, ASmallDisorderIsNoFall) {
  WriterOrder order;
  std::vector<int64_t> moments = every(50 * kMs);
  for (size_t i = 0; i + 1 < moments.size(); i += 2) moments[i] += 55 * kMs;
  const std::map<size_t, int64_t> chosen = choices_of(moments, order);
  EXPECT_GT(chosen.size(), 800U);
  for (const auto& [event, ts] : chosen) EXPECT_EQ(ts, moments[event]) << event;
  EXPECT_EQ(order.in_order(), order.certain());
}

TEST(WriterOrder, ShuffledEventsAreOutOfOrder) {
  std::mt19937_64 random(3);
  std::vector<int64_t> moments = every(50 * kMs);
  std::ranges::shuffle(moments, random);
  WriterOrder order;
  choices_of(moments, order);
  EXPECT_LT(order.in_order() * 10, order.certain());
}

// Whatever events a writer leaves out, a choice is the truth.
TEST(WriterOrder, AChoiceIsTheTruth) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<int64_t> moments;
    int64_t at = 0;
    while (at < 120 * kSecond) {
      moments.push_back(at);
      at += static_cast<int64_t>(random() % static_cast<uint64_t>(30 * kSecond / (1 + seed)));
      at += kMs;
    }
    WriterOrder order;
    for (const auto& [event, ts] : choices_of(moments, order)) ASSERT_EQ(ts, moments[event]);
  }
}

}  // namespace
}  // namespace tracebraid
