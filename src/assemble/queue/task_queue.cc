#include "assemble/queue/task_queue.h"

#include <utility>

namespace tracebraid {
namespace {

// Limit of waiting blocks. Waking a sleeping thread takes longer than running one block.
constexpr size_t kMaxWaiting = 32;
constexpr size_t kWorthWaking = 4;
constexpr size_t kAtOnce = 4;

// Runs the first block. Requires: the caller holds `running`. Returns false if no block waits.
bool run_one(TaskQueues::Shared& queue) {
  TaskBlock block;
  {
    const std::lock_guard lock(queue.blocks_mutex);
    if (queue.blocks.empty()) return false;
    block = std::move(queue.blocks.front());
    queue.blocks.pop_front();
  }
  queue.run(block);
  {
    const std::lock_guard lock(queue.blocks_mutex);
    queue.done.push_back({.words = std::move(block.words)});
  }
  queue.waiting.fetch_sub(1, std::memory_order_release);
  return true;
}

// Runs blocks until no more than `most` wait.
void run_until_wait(TaskQueues::Shared& queue, size_t most) {
  const std::lock_guard running(queue.running);
  while (queue.waiting.load(std::memory_order_acquire) > most && run_one(queue)) continue;
}

// Runs some blocks, unless another thread is running one. Returns whether more wait.
bool run_some(TaskQueues::Shared& queue) {
  const std::unique_lock running(queue.running, std::try_to_lock);
  if (!running) return false;
  for (size_t i = 0; i < kAtOnce; ++i)
    if (!run_one(queue)) return false;
  return true;
}

}  // namespace

bool TaskQueues::help(const Shared* without) {
  bool is_more = false;
  for (Shared& queue : queues_)
    if (&queue != without) is_more |= run_some(queue);
  return is_more;
}

void TaskQueue::send() {
  const size_t waiting = 1 + shared_.waiting.fetch_add(1, std::memory_order_relaxed);
  {
    const std::lock_guard lock(shared_.blocks_mutex);
    shared_.blocks.push_back(std::exchange(filling_, {}));
    if (!shared_.done.empty()) {
      filling_ = std::move(shared_.done.back());
      shared_.done.pop_back();
    }
  }
  if (!all_.is_helped()) return run_until_wait(shared_, 0);
  if (waiting % kWorthWaking == 0) all_.wake_helper();
  if (waiting <= kMaxWaiting) return;
  {
    const std::unique_lock running(shared_.running, std::try_to_lock);
    if (running) {
      for (size_t i = 0; i < kAtOnce; ++i) run_one(shared_);
      return;
    }
  }
  all_.help(&shared_);
  // Far more than usual: the helper has not caught up with this queue.
  if (waiting > 2 * kMaxWaiting) run_until_wait(shared_, kMaxWaiting);
}

void TaskQueue::finish_all() {
  if (filling_.size > 0) send();
  run_until_wait(shared_, 0);
}

}  // namespace tracebraid
