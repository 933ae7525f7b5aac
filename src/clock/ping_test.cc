#include "clock/ping.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

constexpr uint32_t R = 1, B = 6;

// Offset (client minus host) of each clock.
std::map<uint32_t, int64_t> offsets(std::vector<PingMessage> messages) {
  std::map<uint32_t, int64_t> found;
  for (const PingOffset& o : estimate_offsets(messages)) found[o.domain] = o.client - o.host;
  return found;
}

PingMessage b(int64_t client, int64_t host) { return {{B, {.host = host, .client = client}}}; }

TEST(Ping, AveragesBothEstimates) {
  EXPECT_EQ(offsets({b(10000, 120000), b(25000, 135000)}).at(B), -102500);
  EXPECT_EQ(offsets({b(50000, 120000), b(65000, 135000)}).at(B), -62500);
  const auto two = offsets(
      {{{B, {120000, 10000}}, {R, {135000, 25000}}}, {{B, {140000, 20000}}, {R, {150000, 35000}}}});
  EXPECT_EQ(two.at(B), -107500);
  EXPECT_EQ(two.at(R), -106250);
}

TEST(Ping, TruncatesTowardsZero) {
  EXPECT_EQ(offsets({b(40000, 400000), b(61001, 420000)}).at(B), -349249);
}

TEST(Ping, RoundsAreApart) {
  constexpr int64_t kRound = 30'000'000'000;
  EXPECT_TRUE(offsets({b(10000, 120000), b(10000 + kRound, 120000 + kRound)}).empty());
  EXPECT_FALSE(offsets({b(10000, 120000), b(9999 + kRound, 120000 + kRound)}).empty());
  EXPECT_TRUE(offsets({b(10000, 120000), b(9999, 120000)}).empty()) << "time went backwards";
  EXPECT_EQ(offsets({b(10000, 120000), b(20000, 140000), b(30000 + kRound, 160000 + kRound),
                     b(45000 + kRound, 170000 + kRound)})
                .at(B),
            -114375);
}

TEST(Ping, NeedsAllFourReadings) {
  EXPECT_TRUE(offsets({b(10000, 120000), b(25000, 0)}).empty());
  EXPECT_TRUE(offsets({b(10000, 120000)}).empty());
  EXPECT_TRUE(offsets({}).empty());
}

TEST(Ping, AnchorsAtTheLastHostReading) {
  const std::vector<PingMessage> messages{b(40000, 400000), b(61001, 420000)};
  const auto found = estimate_offsets(messages);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].host, 420000);
  EXPECT_EQ(found[0].client, 70751);
  EXPECT_EQ(found[0].uncertainty_ns, 10250) << "the client did not answer before it was asked";
}

// Client minus host is always -1000; the answer takes 100, the question `question`.
PingMessage asked(int64_t at, int64_t question) { return b(at - 1000 - question, at); }
PingMessage answered(int64_t at) { return b(at + 100 - 1000, at + 200); }

TEST(Ping, ManyRoundsAreChosenFrom) {
  std::vector<PingMessage> messages;
  for (int64_t i = 0; i < 6; ++i) {
    messages.push_back(asked(i * 1'000'000 + 50'000, i % 2 == 0 ? 100 : 40'000));
    messages.push_back(answered(i * 1'000'000 + 50'000));
  }
  // Every second message of the list is an answer; the pairs across are long.
  EXPECT_NEAR(static_cast<double>(offsets(messages).at(B)), -1000.0, 30.0);
  EXPECT_LE(estimate_offsets(messages)[0].uncertainty_ns, 300);
}

TEST(Ping, ExtremeReadings) {
  constexpr int64_t kMost = INT64_MAX, kLeast = INT64_MIN;
  for (const int64_t x : {kMost, kLeast, int64_t{-1}, int64_t{1}})
    for (const int64_t y : {kMost, kLeast, int64_t{-1}, int64_t{1}})
      std::ignore = offsets({b(x, y), b(y, x), b(x, x)});
}

}  // namespace
}  // namespace tracebraid
