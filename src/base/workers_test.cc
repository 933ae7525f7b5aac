#include "base/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>

namespace tracebraid {
namespace {

class WorkersTest : public testing::TestWithParam<unsigned> {};

TEST_P(WorkersTest, RunsEachTaskOnce) {
  Workers workers(GetParam());
  std::vector<std::atomic<int>> seen(1000);
  workers.run(seen.size(), [&](size_t i) { ++seen[i]; });
  for (const std::atomic<int>& count : seen) EXPECT_EQ(count, 1);
}

TEST_P(WorkersTest, TasksMayRunTasks) {
  Workers workers(GetParam());
  std::atomic<int> total = 0;
  workers.run(8, [&](size_t) {
    workers.run(8, [&](size_t) {
      TaskGroup group(workers);
      for (int i = 0; i < 20; ++i) group.add([&] { ++total; });
      group.wait();
    });
  });
  EXPECT_EQ(total, 8 * 8 * 20);
}

TEST_P(WorkersTest, GroupsBoundWhatIsUnderWay) {
  Workers workers(GetParam());
  std::atomic<int> under_way = 0, most = 0;
  TaskGroup group(workers);
  for (int i = 0; i < 200; ++i)
    group.add([&] {
      const int now = ++under_way;
      int seen = most;
      while (now > seen && !most.compare_exchange_weak(seen, now)) {
      }
      --under_way;
    });
  group.wait();
  EXPECT_LE(most, static_cast<int>(GetParam()) + 1);
  EXPECT_EQ(under_way, 0);
}

TEST_P(WorkersTest, TheFirstExceptionComesBack) {
  Workers workers(GetParam());
  TaskGroup group(workers);
  for (int i = 0; i < 10; ++i)
    group.add([i] {
      if (i == 3) throw std::runtime_error("three");
    });
  EXPECT_THROW(group.wait(), std::runtime_error);
}

INSTANTIATE_TEST_SUITE_P(Threads, WorkersTest, testing::Values(1, 2, 8));

}  // namespace
}  // namespace tracebraid
