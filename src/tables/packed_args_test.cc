#include "tables/packed_args.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "tables/arg_bytes.h"

namespace tracebraid {
namespace {

bool is_equal(const ArgRow& a, const ArgRow& b) {
  return a.value == b.value && a.key == b.key && a.type == b.type && a.last == b.last &&
         a.unlisted == b.unlisted;
}

// `few`: sets repeat.
ArgSets random_sets(size_t count, bool few, std::vector<uint32_t>& firsts) {
  std::mt19937_64 random(5);
  ArgSets sets;
  sets.keys.resize(30);
  for (size_t i = 0; i < count; ++i) {
    firsts.push_back(static_cast<uint32_t>(sets.rows.size()));
    const size_t size = i == 17 ? 5000 : 1 + random() % (few ? 2 : 9);
    for (size_t k = 0; k < size; ++k) {
      ArgRow row{};
      row.value = static_cast<int64_t>(random()) >> random() % 64;
      if (few) row.value = static_cast<int64_t>(random() % 3) - 1;
      row.key = static_cast<uint32_t>(random() % (few ? 2 : 30));
      row.type = static_cast<ArgType>(random() % (few ? 1 : 8));
      row.unlisted = random() % 8 == 0;
      row.last = k + 1 == size;
      sets.rows.push_back(row);
    }
  }
  return sets;
}

TEST(PackedArgs, UnpackAsTheyWere) {
  for (const bool few : {false, true}) {
    std::vector<uint32_t> firsts;
    const ArgSets sets = random_sets(6000, few, firsts);
    ArgSets packed = sets;
    pack(packed);
    EXPECT_TRUE(packed.is_packed);
    std::vector<ArgRow> rows;
    for (const uint32_t first : firsts) {
      unpack(packed, first, rows);
      for (size_t i = 0; i < rows.size(); ++i)
        ASSERT_TRUE(is_equal(rows[i], sets.rows[first + i])) << first << ' ' << i;
      ASSERT_TRUE(rows.back().last);
    }
  }
}

TEST(PackedArgs, EqualSetsAreLinkedToTheFirst) {
  std::vector<uint32_t> firsts;
  ArgSets sets = random_sets(3000, true, firsts);
  pack(sets);
  std::set<std::pair<uint32_t, std::string_view>> distinct;
  size_t links = 0;
  for (const uint32_t first : firsts) {
    const PackedSet set = packed_set(sets, first);
    const std::string_view values = packed_values(sets, first, set);
    if (set.what() == PackedSet::Link::Same) {
      ++links;
      ASSERT_LT(set.link, first);
      const PackedSet other = packed_set(sets, set.link);
      ASSERT_EQ(other.what(), PackedSet::Link::Hash);
      ASSERT_EQ(other.shape, set.shape);
      ASSERT_EQ(packed_values(sets, set.link, other), values);
    } else {
      ASSERT_EQ(set.link, hash_of_values(values));
      EXPECT_TRUE(distinct.emplace(set.shape, values).second);
    }
  }
  EXPECT_GT(links, 2000U);
  EXPECT_EQ(links + distinct.size(), firsts.size());
}

TEST(PackedArgs, NothingToPack) {
  ArgSets none;
  pack(none);
  EXPECT_TRUE(none.is_packed);
  EXPECT_TRUE(none.shapes.empty());
}

}  // namespace
}  // namespace tracebraid
