#include "base/nearest.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tracebraid {
namespace {

constexpr std::string_view kWords[] = {"check", "info", "query", "--format", "--manifest"};

TEST(Suggest, CountsEdits) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("query", "qurey"), 1U);  // swapped
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("ab", "ba"), 1U);
}

TEST(Suggest, FindsTheNearest) {
  EXPECT_EQ(nearest("qeury", kWords), "query");
  EXPECT_EQ(nearest("--fromat", kWords), "--format");
  EXPECT_EQ(nearest("--mani", kWords), "--manifest");  // the beginning of it
  EXPECT_EQ(nearest("inof", kWords), "info");
}

TEST(Suggest, PrefersTheSameFirstLetter) {
  constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};
  EXPECT_EQ(nearest("fsh", kShells), "fish");
}

TEST(Suggest, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest("zebra", kWords), std::nullopt);
  EXPECT_EQ(nearest("", kWords), std::nullopt);
  EXPECT_EQ(nearest(std::string(5000, 'q'), kWords), std::nullopt);
}

}  // namespace
}  // namespace tracebraid
