// Workers: the one pool of threads. Loops over independent items run here; no
// stage starts threads of its own, takes locks or shares a mutable thing.
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
  // `threads` counts the calling thread: 1 runs everything in it, in order.
  explicit Workers(unsigned threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  unsigned threads() const { return static_cast<unsigned>(pool_.size()) + 1; }

  // task(0) ... task(n - 1), on any thread, in any order; returns when all are
  // done. May be called from within a task. Results belong in slot i of
  // something sized n, so that the outcome does not depend on the threads. The
  // first exception (std::bad_alloc, say) is thrown again here.
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
  std::condition_variable wake_;  // a job came, or one finished
  std::deque<Job> jobs_;
  bool stop_ = false;
  std::vector<std::thread> pool_;
};

// Tasks that are found one after the other while earlier ones already run, such
// as the blocks of a file. Bounded: add() works off a waiting task itself when
// `limit` are under way, so memory stays in proportion.
class TaskGroup {
 public:
  explicit TaskGroup(Workers& workers);
  ~TaskGroup();  // waits
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;

  void add(std::function<void()> task);
  void wait();  // throws the first exception of a task again

 private:
  Workers& workers_;
  size_t limit_;
  size_t pending_ = 0;          // guarded by workers_.mutex_
  std::exception_ptr failure_;  // likewise
  void execute(const std::function<void()>& task);
  void join();
};

}  // namespace tracebraid
