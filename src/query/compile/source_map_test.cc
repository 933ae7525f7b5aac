#include "query/compile/source_map.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

TEST(SourceMap, WithoutSegmentsIsTheText) { EXPECT_EQ(SourceMap().place(7).offset, 7u); }

TEST(SourceMap, FindsTheSegmentOfAByte) {
  // "SELECT m!(1) FROM t" expands to "SELECT 1 + 2 FROM t".
  SourceMap map;
  map.add_copied(0, 7, 0);
  map.add_made(0, 5, 7);
  map.add_made(0, 0, 12);
  map.add_copied(0, 7, 12);
  EXPECT_EQ(map.place(0).offset, 0u);
  EXPECT_EQ(map.place(6).offset, 6u);
  EXPECT_EQ(map.place(7).offset, 7u);
  EXPECT_EQ(map.place(11).offset, 7u);
  EXPECT_EQ(map.place(12).offset, 12u);
  EXPECT_EQ(map.place(18).offset, 18u);
  EXPECT_EQ(map.place(100).offset, 19u);
  EXPECT_EQ(map.part(8, 14).place(0).offset, 7u);
  EXPECT_EQ(map.part(8, 14).place(5).offset, 13u);
}

TEST(SourceMap, PiecesKeepTheirFrames) {
  const auto text = std::make_shared<const SourceText>(SourceText{"t", "SELECT m!(1)"});
  const auto body = std::make_shared<const SourceText>(SourceText{"b", "1 + 2"});
  SourceMap piece(SourceFrame{body, 0, 5});
  SourceMap map(SourceFrame{text, 0, 12});
  map.add_copied(0, 7, 0);
  map.add_piece(piece, 5, 0, 7);
  ASSERT_EQ(map.frames().size(), 2u);
  EXPECT_EQ(map.frames()[1].call, 7u);
  EXPECT_EQ(map.place(9).frame, 1u);
  EXPECT_EQ(map.place(9).offset, 2u);
  EXPECT_TRUE(map.is_expanded());
}

}  // namespace
}  // namespace tracebraid
