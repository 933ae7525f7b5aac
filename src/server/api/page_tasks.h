// PageTasks: the work of one page, of which a few tasks are in the pool at once. A page that sends
// requests and reads no answers therefore holds a few threads, not all.
//
// In: tasks. Called by TileSocket.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "server/work/task_pool.h"

namespace tracebraid::api {

// Any thread may use it. The pool must outlive it.
class PageTasks : public std::enable_shared_from_this<PageTasks> {
 public:
  static constexpr size_t kMostAtOnce = 4, kMostWaiting = 1000;

  explicit PageTasks(TaskPool& pool) : pool_(pool) {}

  // Passes the task to the pool, or keeps it until an earlier one of the page has ended. Returns
  // false, and drops the task, if too many wait.
  bool submit(TaskClass priority, std::function<void()> task);
  // Drops the tasks that wait.
  void close();

 private:
  struct Task {
    TaskClass priority;
    std::function<void()> run;
  };
  void start(Task task);
  void start_next();

  TaskPool& pool_;
  std::mutex mutex_;
  std::deque<Task> waiting_;
  size_t running_ = 0;  // in the pool
};

}  // namespace tracebraid::api
