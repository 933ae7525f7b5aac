// TaskPool: the threads that do the work of the server, by classes of priority.
//
// Input: tasks. Output: none; a task reports its result itself. Called by the resources of
// server/api and by the RPC. The network thread only submits tasks.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tracebraid {

// A lower class goes first (spec viewer 2.2).
enum class TaskClass : uint8_t { Tiles, Answers, Search, Sql, Files };

class TaskPool {
 public:
  // Runs at most `threads` tasks at once, of which at most `heavy` of the classes Sql and Files.
  TaskPool(unsigned threads, unsigned heavy);
  // Waits for the tasks that run; the others are dropped.
  ~TaskPool();
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  // Runs the task after those of its class that came before. Tasks must not throw.
  void submit(TaskClass priority, std::function<void()> task);
  // Drops the tasks that do not run yet, and accepts none any more.
  void close();
  // Closes, and waits for the tasks that run. Requires: not called by a task.
  void join();

  size_t waiting(TaskClass priority) const;
  size_t running(TaskClass priority) const;  // without those that are blocked

  // While an object exists, its thread only waits, such as for a client that reads slowly: another
  // task runs instead. At most kMostBlocked threads wait so; further ones keep their place.
  // Outside of a pool's thread, and within another object, an object does nothing.
  class Blocked {
   public:
    Blocked();
    ~Blocked();
    Blocked(const Blocked&) = delete;
    Blocked& operator=(const Blocked&) = delete;

   private:
    TaskPool* pool_;
  };
  static constexpr size_t kMostBlocked = 64;

 private:
  static constexpr size_t kClasses = 5;
  static bool is_heavy(size_t priority) { return priority >= size_t{3}; }

  // These functions require mutex_ to be held.
  size_t pick() const;  // the class of the next task; kClasses if none can run
  void start_threads();
  void count(size_t priority, bool is_start);

  void loop();

  const size_t threads_, heavy_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::array<std::deque<std::function<void()>>, kClasses> queues_;
  std::array<size_t, kClasses> running_{};
  size_t active_ = 0, active_heavy_ = 0, idle_ = 0, blocked_ = 0;
  bool is_closed_ = false;
  std::vector<std::thread> pool_;
};

}  // namespace tracebraid
