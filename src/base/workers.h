// Workers: the pool of threads. Loops over independent items run here; no stage starts threads of
// its own.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tracebraid {

class Workers {
 public:
  // `threads` includes the calling thread: 1 runs all tasks in the calling thread, in order.
  explicit Workers(unsigned threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  unsigned threads() const { return static_cast<unsigned>(pool_.size()) + 1; }

  // Runs task(0) ... task(n - 1) on any thread, in any order; returns when all are done. May be
  // called from within a task. Store results in slot i of a container of size n, so that they do
  // not depend on the threads. Rethrows the first exception (such as std::bad_alloc) here.
  void run(size_t n, const std::function<void(size_t)>& task);

 private:
  friend class TaskGroup;
  struct Job {
    std::function<void()> work;
    const void* group;
  };
  void push(Job job);
  // Runs one waiting job of `group` (of any group if null) in this thread.
  bool run_one(std::unique_lock<std::mutex>& lock, const void* group);
  void loop();

  std::mutex mutex_;
  std::condition_variable wake_;  // notified when a job arrives or finishes
  std::deque<Job> jobs_;
  bool stop_ = false;
  std::vector<std::thread> pool_;
};

// Runs tasks that are found one after the other while earlier ones run, such as the blocks of a
// file. Bounded: when `limit` tasks are in progress, add() runs a waiting task itself, which limits
// memory.
class TaskGroup {
 public:
  explicit TaskGroup(Workers& workers);
  ~TaskGroup();  // waits
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;

  void add(std::function<void()> task);
  void wait();  // rethrows the first exception of a task

 private:
  Workers& workers_;
  size_t limit_;
  size_t pending_ = 0;          // guarded by workers_.mutex_
  std::exception_ptr failure_;  // guarded by workers_.mutex_
  void execute(const std::function<void()>& task);
  void join();
};

}  // namespace tracebraid
