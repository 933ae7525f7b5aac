#include "format/proto/track_event/interned.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace tracebraid::proto {
namespace {

TEST(InternTable, FirstValueStays) {
  InternTable<int> table;
  table.add(3, 30);
  table.add(3, 31);
  EXPECT_EQ(*table.find(3), 30);
  EXPECT_EQ(table.find(2), nullptr);
  table.clear();
  EXPECT_EQ(table.find(3), nullptr);
  table.add(3, 32);
  EXPECT_EQ(*table.find(3), 32);
}

// Compares with a plain map: small and large numbers, in any order.
TEST(InternTable, IsAMap) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 50; ++round) {
    InternTable<uint64_t> table;
    std::map<uint64_t, uint64_t> expected;
    for (int i = 0; i < 400; ++i) {
      const uint64_t iid = random() >> (random() % 4 == 0 ? 1 : 54 + random() % 9);
      table.add(iid, random());
      const uint64_t* value = table.find(iid);
      ASSERT_NE(value, nullptr);
      expected.try_emplace(iid, *value);
    }
    for (const auto& [iid, value] : expected) ASSERT_EQ(*table.find(iid), value);
    for (uint64_t iid = 0; iid < 2000; ++iid)
      ASSERT_EQ(table.find(iid) != nullptr, expected.contains(iid));
  }
}

TEST(InternedData, KeysAreSafe) {
  EventBatch batch;
  EventSink sink(batch);
  EXPECT_EQ(batch.strings.get(key_part("a.b[c]", sink)), "a_b_c_");
}

}  // namespace
}  // namespace tracebraid::proto
