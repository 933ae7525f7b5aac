#include "assemble/tracks/lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tracebraid {
namespace {

TEST(CookieLanes, FreeLanesAreReused) {
  CookieLanes lanes;
  EXPECT_EQ(lanes.begin(20), 0U);
  EXPECT_EQ(lanes.begin(21), 1U);
  EXPECT_EQ(lanes.end(20), 0U);
  EXPECT_EQ(lanes.begin(22), 0U);
  EXPECT_EQ(lanes.end(22), 0U);
  EXPECT_EQ(lanes.end(21), 1U);
  EXPECT_EQ(lanes.begin(20), 0U);
  EXPECT_TRUE(lanes.is_active(20));
  EXPECT_FALSE(lanes.is_active(22));
}

TEST(CookieLanes, ACookieKeepsItsLane) {
  CookieLanes lanes;
  lanes.begin(1);
  lanes.begin(2);
  lanes.end(2);
  lanes.end(1);
  EXPECT_EQ(lanes.begin(2), 1U);  // a lane of its own, although 0 is free
}

TEST(CookieLanes, TimedLanesAreApart) {
  CookieLanes lanes;
  EXPECT_EQ(lanes.begin(1), 0U);
  lanes.end(1);
  EXPECT_EQ(lanes.timed(10, 20), 1U);
  EXPECT_EQ(lanes.timed(15, 30), 2U);
  EXPECT_EQ(lanes.timed(20, 25), 1U);
  EXPECT_EQ(lanes.begin(9), 0U);
}

// The rule of the specification, implemented by a search of all lanes.
class PlainCookieLanes {
 public:
  uint32_t begin(uint64_t cookie) {
    const uint32_t lane = find(cookie);
    ++lanes_[lane].second;
    return lane;
  }
  uint32_t end(uint64_t cookie) {
    const uint32_t lane = find(cookie);
    lanes_[lane].second = std::max(0, lanes_[lane].second - 1);
    return lane;
  }

 private:
  uint32_t find(uint64_t cookie) {
    for (uint32_t i = 0; i < lanes_.size(); ++i)
      if (lanes_[i].first == cookie) return i;
    for (uint32_t i = 0; i < lanes_.size(); ++i) {
      if (lanes_[i].second != 0) continue;
      lanes_[i].first = cookie;
      return i;
    }
    lanes_.emplace_back(cookie, 0);
    return static_cast<uint32_t>(lanes_.size() - 1);
  }
  std::vector<std::pair<uint64_t, int>> lanes_;
};

TEST(CookieLanes, EqualTheRule) {
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    CookieLanes lanes;
    PlainCookieLanes plain;
    for (int i = 0; i < 200; ++i) {
      const uint64_t cookie = random() % 12;
      if (random() % 2 == 0)
        ASSERT_EQ(lanes.begin(cookie), plain.begin(cookie));
      else
        ASSERT_EQ(lanes.end(cookie), plain.end(cookie));
    }
  }
}

class PlainNestingLanes {
 public:
  uint32_t place(int64_t ts, int64_t end) {
    for (uint32_t i = 0;; ++i) {
      if (i == lanes_.size()) lanes_.emplace_back();
      std::vector<int64_t>& ends = lanes_[i];
      while (!ends.empty() && ends.back() <= ts) ends.pop_back();
      if (!ends.empty() && end > ends.back()) continue;
      ends.push_back(end);
      return i;
    }
  }

 private:
  std::vector<std::vector<int64_t>> lanes_;
};

TEST(NestingLanes, EqualTheRule) {
  std::mt19937 random(2);
  for (int round = 0; round < 100; ++round) {
    NestingLanes lanes;
    PlainNestingLanes plain;
    int64_t ts = 0;
    for (int i = 0; i < 300; ++i) {
      ts += static_cast<int64_t>(random() % 4);
      const int64_t end = ts + static_cast<int64_t>(random() % 50);
      ASSERT_EQ(lanes.place(ts, end), plain.place(ts, end));
    }
  }
}

}  // namespace
}  // namespace tracebraid
