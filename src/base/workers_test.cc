#include "base/workers.h"

#include <gtest/gtest.h>
#include <pthread.h>

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

// Makes threads fail to start: their stack is larger than the address space.
class NoThreads {
 public:
  NoThreads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, size_t{1} << 50);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
  }
  ~NoThreads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }

 private:
  pthread_attr_t before_;
};

TEST(Workers, WithoutThreadsTheCallerDoesTheWork) {
  const NoThreads no_threads;
  Workers workers(8);
  EXPECT_EQ(workers.threads(), 1U);
  int total = 0;
  workers.run(1000, [&](size_t) { ++total; });
  TaskGroup group(workers);
  for (int i = 0; i < 1000; ++i) group.add([&] { ++total; });
  group.wait();
  EXPECT_EQ(total, 2000);
}

INSTANTIATE_TEST_SUITE_P(Threads, WorkersTest, testing::Values(1, 2, 8));

}  // namespace
}  // namespace tracebraid
