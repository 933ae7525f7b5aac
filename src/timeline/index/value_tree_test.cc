#include "timeline/index/value_tree.h"

#include <gtest/gtest.h>

#include <random>

namespace tracebraid::timeline {
namespace {

TEST(ValueTree, BoundsEqualAScan) {
  std::mt19937 random(9);
  for (const size_t size : {0UL, 1UL, 63UL, 64UL, 65UL, 1024UL, 5000UL, 70'000UL}) {
    std::vector<double> values;
    for (size_t i = 0; i < size; ++i)
      values.push_back(random() % 10 == 0 ? std::nan("") : static_cast<double>(random() % 100'000));
    const ValueTree tree(values);
    for (int i = 0; i < 200; ++i) {
      const size_t from = random() % (size + 1), to = from + random() % (size + 1 - from);
      ValueBounds expected;
      for (size_t at = from; at < to; ++at) expected.add(values[at]);
      const ValueBounds bounds = tree.bounds(from, to);
      ASSERT_EQ(bounds.low, expected.low);
      ASSERT_EQ(bounds.high, expected.high);
    }
  }
}

}  // namespace
}  // namespace tracebraid::timeline
