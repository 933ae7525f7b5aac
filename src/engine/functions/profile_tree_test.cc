#include "engine/functions/profile_tree.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>

namespace tracebraid {
namespace {

constexpr uint32_t kNone = ProfileTree::kNone;

TEST(ProfileTree, MergesEqualFunctionsOfOneCaller) {
  ProfileTree tree;
  const uint32_t main = tree.child(kNone, {.name = "main", .mapping = "app"});
  const uint32_t work = tree.child(main, {.name = "work", .mapping = "app"});
  EXPECT_EQ(tree.child(main, {.name = "work", .mapping = "app"}), work);
  EXPECT_NE(tree.child(main, {.name = "work", .mapping = "lib"}), work);
  EXPECT_NE(tree.child(main, {.name = "work", .mapping = "app", .line = 3}), work);
  EXPECT_NE(tree.child(kNone, {.name = "work", .mapping = "app"}), work);
  EXPECT_EQ(tree.nodes()[work].depth, 1u);
}

TEST(ProfileTree, SumsSaturate) {
  ProfileTree tree;
  const uint32_t main = tree.child(kNone, {.name = "main"});
  const uint32_t work = tree.child(main, {.name = "work"});
  tree.add(main, {.count = 1, .size = INT64_MAX});
  tree.add(work, {.count = 2, .size = 1});
  ASSERT_TRUE(tree.sum(StopCheck()));
  EXPECT_EQ(tree.nodes()[main].total.count, 3);
  EXPECT_EQ(tree.nodes()[main].total.size, INT64_MAX);
  EXPECT_EQ(tree.nodes()[work].total.count, 2);
}

// Random callstacks, against sums over the list of callstacks.
TEST(ProfileTree, TotalsAndFocusEqualSumsOverCallstacks) {
  static constexpr std::array<std::string_view, 4> kNames = {"Alpha", "beta", "gamma", "alphabet"};
  std::mt19937 random(1);
  const auto below = [&](uint32_t end) {
    return std::uniform_int_distribution<uint32_t>(0, end - 1)(random);
  };
  for (int round = 0; round < 50; ++round) {
    ProfileTree tree;
    std::vector<std::vector<uint32_t>> stacks;  // of names
    for (uint32_t i = below(20); i > 0; --i) {
      std::vector<uint32_t> stack(1 + below(5));
      uint32_t node = kNone;
      for (uint32_t& name : stack) node = tree.child(node, {.name = kNames[name = below(4)]});
      tree.add(node, {.count = 1});
      stacks.push_back(stack);
    }
    const bool has_focus = round % 2 == 1;
    if (has_focus) {
      ASSERT_TRUE(tree.focus("ALPHA", StopCheck()));
      std::erase_if(stacks, [](const auto& stack) {
        return std::ranges::none_of(stack, [](uint32_t name) { return name == 0 || name == 3; });
      });
    }
    ASSERT_TRUE(tree.sum(StopCheck()));
    const auto& nodes = tree.nodes();
    std::vector<std::vector<uint32_t>> paths;
    for (const ProfileTree::Node& node : nodes) {
      std::vector<uint32_t> path;
      if (node.parent != kNone) path = paths[node.parent];
      path.push_back(
          static_cast<uint32_t>(std::ranges::find(kNames, node.function.name) - kNames.begin()));
      const auto starts = [&](const auto& stack) {
        return stack.size() >= path.size() && std::equal(path.begin(), path.end(), stack.begin());
      };
      EXPECT_EQ(node.total.count, std::ranges::count_if(stacks, starts));
      EXPECT_EQ(node.self.count, std::ranges::count(stacks, path));
      EXPECT_GT(node.total.count, 0);
      EXPECT_EQ(node.depth + 1, path.size());
      paths.push_back(path);
    }
    for (const auto& stack : stacks) EXPECT_EQ(std::ranges::count(paths, stack), 1);
  }
}

}  // namespace
}  // namespace tracebraid
