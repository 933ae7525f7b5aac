#include "query/compile/source_map.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

TEST(SourceMap, WithoutSegmentsIsTheText) { EXPECT_EQ(SourceMap().original(7), 7u); }

TEST(SourceMap, FindsTheSegmentOfAByte) {
  // "SELECT m!(1) FROM t" expands to "SELECT 1 + 2 FROM t".
  SourceMap map;
  map.add_copied(7, 0);
  map.add_made(5, 7);
  map.add_made(0, 12);
  map.add_copied(7, 12);
  EXPECT_EQ(map.original(0), 0u);
  EXPECT_EQ(map.original(6), 6u);
  EXPECT_EQ(map.original(7), 7u);
  EXPECT_EQ(map.original(11), 7u);
  EXPECT_EQ(map.original(12), 12u);
  EXPECT_EQ(map.original(18), 18u);
  EXPECT_EQ(map.original(100), 19u);
}

}  // namespace
}  // namespace tracebraid
