// Task queues: work that no event waits for. Tasks run in the order in which they were queued, on
// any thread. TaskQueues owns the state that threads share. A TaskQueue is the ticket of the thread
// that queues tasks; Deferred connects a ticket with the state that its tasks change.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace tracebraid {

// Consecutive tasks, as words; a task lies within one block.
struct TaskBlock {
  static constexpr size_t kWords = 8192;

  std::unique_ptr<uint64_t[]> words;  // kWords
  size_t size = 0;
  bool is_marked = false;

  const uint64_t* begin() const { return words.get(); }
  const uint64_t* end() const { return words.get() + size; }
};

// Runs the blocks of one queue. Called by one thread at a time.
using RunBlock = std::function<void(const TaskBlock&)>;

// The queues of one assembly. Must outlive all tickets.
class TaskQueues {
 public:
  // The state of one queue that threads share.
  struct Shared {
    explicit Shared(RunBlock the_run) : run(std::move(the_run)) {}

    const RunBlock run;
    std::atomic<size_t> waiting = 0;  // blocks that are not done
    std::mutex blocks_mutex;          // guards the next two
    std::deque<TaskBlock> blocks;
    std::vector<TaskBlock> done;  // for reuse
    std::mutex running;           // held by the thread that runs a block
  };

  TaskQueues() = default;
  TaskQueues(const TaskQueues&) = delete;
  TaskQueues& operator=(const TaskQueues&) = delete;

  Shared& add(RunBlock run) { return queues_.emplace_back(std::move(run)); }

  // Until end_help(), another thread calls help(). Calls `on_more`, on the queueing thread, when
  // there is work. Without help, the queueing thread runs each full block at once.
  void begin_help(std::function<void()> on_more) { on_more_ = std::move(on_more); }
  void end_help() { on_more_ = nullptr; }
  bool is_helped() const { return on_more_ != nullptr; }
  void wake_helper() const { on_more_(); }

  // Runs some blocks of each queue except `without`. Returns whether more wait. Any thread.
  bool help(const Shared* without = nullptr);

 private:
  std::deque<Shared> queues_;
  std::function<void()> on_more_;
};

// The ticket for one queue. One thread uses it.
class TaskQueue {
 public:
  TaskQueue(TaskQueues& all, RunBlock run) : all_(all), shared_(all.add(std::move(run))) {}

  // Returns the place for the words of the next task, at most TaskBlock::kWords.
  uint64_t* begin_task(size_t words) {
    if (filling_.size + words > TaskBlock::kWords) send();
    if (!filling_.words)
      filling_.words = std::make_unique_for_overwrite<uint64_t[]>(TaskBlock::kWords);
    uint64_t* const at = &filling_.words[filling_.size];
    filling_.size += words;
    return at;
  }
  // Sets TaskBlock::is_marked of the block of the last task.
  void mark() { filling_.is_marked = true; }
  // Returns when all tasks are done.
  void finish() {
    if (filling_.size > 0 || shared_.waiting.load(std::memory_order_acquire) != 0) finish_all();
  }

 private:
  void send();
  void finish_all();

  TaskQueues& all_;
  TaskQueues::Shared& shared_;
  TaskBlock filling_;
};

// State that tasks change, and their queue. Only tasks reach the state while any are queued.
template <class State>
class Deferred {
 public:
  // `run` runs the tasks of a block; `args` construct the state.
  template <class... Args>
  Deferred(TaskQueues& queues, void (*run)(State&, const TaskBlock&), Args&&... args)
      : state_{std::forward<Args>(args)...},
        queue_(queues, [this, run](const TaskBlock& block) { run(state_, block); }) {}
  Deferred(const Deferred&) = delete;
  Deferred& operator=(const Deferred&) = delete;

  uint64_t* begin_task(size_t words) { return queue_.begin_task(words); }
  void mark() { queue_.mark(); }
  // Waits for all tasks and returns the state. The caller may use it until it queues the next task.
  State& now() {
    queue_.finish();
    return state_;
  }
  // Requires: all tasks are done.
  const State& peek() const { return state_; }

 private:
  State state_;
  TaskQueue queue_;
};

}  // namespace tracebraid
