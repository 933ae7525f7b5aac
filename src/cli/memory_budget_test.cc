#include "cli/memory_budget.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <random>
#include <vector>

namespace tracebraid {
namespace {

constexpr uint64_t kMegabyte = uint64_t{1} << 20;

// A process has one budget, which stays: the test sets it.
class MemoryBudget : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    EXPECT_FALSE(has_memory_budget());
    EXPECT_EQ(allocate_budgeted(4096), nullptr);
    int local = 0;
    EXPECT_FALSE(is_budgeted(&local));
    EXPECT_EQ(budget_allocator(), nullptr);
    const Result<> set = set_memory_budget(256 * kMegabyte, "/tmp");
    ASSERT_TRUE(set) << set.error().message;
    EXPECT_FALSE(set_memory_budget(kMegabyte, "/tmp")) << "only once";
  }
};

struct Block {
  char* at;
  size_t size;
  char fill;
};

Block make(size_t size, char fill) {
  Block block{static_cast<char*>(allocate_budgeted(size)), size, fill};
  EXPECT_NE(block.at, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block.at) % alignof(std::max_align_t), 0U);
  EXPECT_TRUE(is_budgeted(block.at) && is_budgeted(block.at + size - 1));
  std::memset(block.at, fill, size);
  return block;
}

bool is_whole(const Block& block) {
  return std::string_view(block.at, block.size).find_first_not_of(block.fill) ==
         std::string_view::npos;
}

TEST_F(MemoryBudget, BlocksOfAllSizesKeepWhatIsWrittenToThem) {
  std::mt19937 random(7);
  std::vector<Block> blocks;
  for (int i = 0; i < 3000; ++i) {
    const size_t largest = size_t{1024} << random() % 11;
    if (blocks.size() > 60 || (!blocks.empty() && random() % 3 == 0)) {
      const size_t at = random() % blocks.size();
      ASSERT_TRUE(is_whole(blocks[at]));
      free_budgeted(blocks[at].at);
      blocks[at] = blocks.back();
      blocks.pop_back();
    } else {
      blocks.push_back(make(1 + random() % largest, static_cast<char>(random())));
    }
  }
  for (const Block& block : blocks) {
    ASSERT_TRUE(is_whole(block));
    free_budgeted(block.at);
  }
  // One segment of each class may remain.
  EXPECT_LE(budget_use().in_memory + budget_use().in_file, 128 * kMegabyte);
}

TEST_F(MemoryBudget, WhatIsBeyondItLiesInAFile) {
  const BudgetUse at_first = budget_use();
  std::vector<Block> blocks;
  for (int i = 0; i < 40; ++i) blocks.push_back(make(10 * kMegabyte, static_cast<char>(i)));
  EXPECT_LE(budget_use().in_memory, 256 * kMegabyte);
  EXPECT_GE(budget_use().in_file, 100 * kMegabyte);
  for (const Block& block : blocks) EXPECT_TRUE(is_whole(block));

  // Discarded pages are released in memory and in the file, and read as zeros.
  for (Block& block : blocks) {
    const BudgetUse before = budget_use();
    discard_pages(block.at, block.at + 4 * kMegabyte, budget_allocator());
    const BudgetUse after = budget_use();
    EXPECT_EQ(before.in_memory + before.in_file, after.in_memory + after.in_file + 4 * kMegabyte);
    EXPECT_EQ(block.at[0], '\0');
    EXPECT_EQ(block.at[4 * kMegabyte], block.fill);
  }
  for (const Block& block : blocks) free_budgeted(block.at);
  EXPECT_EQ(budget_use().in_memory, at_first.in_memory);
  EXPECT_EQ(budget_use().in_file, at_first.in_file);
}

TEST_F(MemoryBudget, WhatNobodyHasIsRefused) {
  EXPECT_EQ(allocate_budgeted(~size_t{0} / 2), nullptr);
  EXPECT_EQ(allocate_budgeted(~size_t{0} - 4096), nullptr);
}

TEST_F(MemoryBudget, PagesFromElsewhereAreDiscardedToo) {
  const auto size = static_cast<size_t>(4 * kMegabyte);
  void* const at =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(at, MAP_FAILED);
  std::memset(at, 'x', size);
  EXPECT_FALSE(budget_allocator()->discard(at, size));
  EXPECT_EQ(static_cast<char*>(at)[0], 'x');
  discard_pages(at, static_cast<char*>(at) + size, budget_allocator());
  EXPECT_EQ(static_cast<char*>(at)[0], '\0');
  ::munmap(at, size);
}

}  // namespace
}  // namespace tracebraid
