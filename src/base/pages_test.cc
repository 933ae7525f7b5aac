#include "base/pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace tracebraid {
namespace {

constexpr size_t kHugePage = size_t{1} << 21;

// Returns whether the mapping of `at` prefers huge pages.
bool prefers_huge_pages(const void* at) {
  std::ifstream maps("/proc/self/smaps");
  bool is_inside = false;
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0, end = 0;
    const auto address = reinterpret_cast<uintptr_t>(at);
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2)
      is_inside = begin <= address && address < end;
    else if (is_inside && line.starts_with("VmFlags:"))
      return line.find(" hg") != std::string::npos;
  }
  return false;
}

class HugePages : public testing::Test {
 protected:
  static constexpr size_t kBytes = 4 * kHugePage;
  HugePages()
      : begin_(static_cast<char*>(
            ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {}
  ~HugePages() override { ::munmap(begin_, kBytes); }

  char* first_huge_page() const {
    const auto at = reinterpret_cast<uintptr_t>(begin_);
    return begin_ + (kHugePage - at % kHugePage) % kHugePage;
  }
  char* const begin_;
};

TEST_F(HugePages, CoverWhatIsAligned) {
  if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage"))
    GTEST_SKIP() << "the system has no huge pages";
  ASSERT_NE(begin_, MAP_FAILED);
  // From the middle of a huge page to the middle of the next but one.
  char* const page = first_huge_page();
  EXPECT_FALSE(prefers_huge_pages(page));
  prefer_huge_pages(page + kHugePage / 2, 2 * kHugePage);
  EXPECT_FALSE(prefers_huge_pages(page));
  EXPECT_TRUE(prefers_huge_pages(page + kHugePage));
  EXPECT_TRUE(prefers_huge_pages(page + 2 * kHugePage - 1));
  EXPECT_FALSE(prefers_huge_pages(page + 2 * kHugePage));
}

TEST_F(HugePages, LeaveSmallRanges) {
  ASSERT_NE(begin_, MAP_FAILED);
  prefer_huge_pages(first_huge_page() + 1, 2 * kHugePage - 2);
  prefer_huge_pages(first_huge_page(), 0);
  EXPECT_FALSE(prefers_huge_pages(first_huge_page() + kHugePage / 2));
}

TEST(PagesOfVector, AreReserved) {
  if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage"))
    GTEST_SKIP() << "the system has no huge pages";
  std::vector<uint64_t> values;
  reserve_in_huge_pages(values, 4 * kHugePage / sizeof(uint64_t));
  EXPECT_TRUE(values.empty());
  EXPECT_EQ(values.capacity(), 4 * kHugePage / sizeof(uint64_t));
  EXPECT_TRUE(prefers_huge_pages(values.data() + values.capacity() / 2));
}

}  // namespace
}  // namespace tracebraid
