#include "server/work/task_pool.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>

namespace tracebraid {
namespace {

TEST(TaskPool, OtherTasksRunWhileOneOnlyWaits) {
  TaskPool pool(1, 1);
  std::promise<void> other;
  std::promise<bool> waited;
  pool.submit(TaskClass::Sql, [&] {
    const TaskPool::Blocked blocked;
    waited.set_value(other.get_future().wait_for(std::chrono::minutes(1)) ==
                     std::future_status::ready);
  });
  pool.submit(TaskClass::Sql, [&] { other.set_value(); });
  EXPECT_TRUE(waited.get_future().get());
}

// Each of the two counted the thread, so that the pool believed to run more tasks than it can.
TEST(TaskPool, ATaskThatWaitsWithinWaitingCountsOnce) {
  TaskPool pool(1, 1);
  std::promise<void> waits, ended;
  pool.submit(TaskClass::Tiles, [&] {
    const TaskPool::Blocked outer, inner;
    EXPECT_EQ(pool.running(TaskClass::Tiles), 0U);
    waits.set_value();
  });
  waits.get_future().wait();
  pool.submit(TaskClass::Tiles, [&] {
    EXPECT_EQ(pool.running(TaskClass::Tiles), 1U);
    ended.set_value();
  });
  EXPECT_EQ(ended.get_future().wait_for(std::chrono::minutes(1)), std::future_status::ready);
}

}  // namespace
}  // namespace tracebraid
