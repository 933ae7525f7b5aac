#include "server/work/task_pool.h"

#include <algorithm>
#include <utility>

#include "base/signal_mask.h"

namespace tracebraid {
namespace {

// The pool and the class of the task that this thread runs.
thread_local TaskPool* t_pool = nullptr;
thread_local size_t t_class = 0;
thread_local bool t_is_blocked = false;  // an object of Blocked counts this thread

}  // namespace

TaskPool::TaskPool(unsigned threads, unsigned heavy)
    : threads_(std::max(threads, 1U)), heavy_(std::max(heavy, 1U)) {}

TaskPool::~TaskPool() { join(); }

void TaskPool::join() {
  close();
  for (std::thread& thread : pool_) thread.join();
  pool_.clear();
}

void TaskPool::close() {
  std::array<std::deque<std::function<void()>>, kClasses> dropped;
  {
    const std::scoped_lock lock(mutex_);
    is_closed_ = true;
    dropped.swap(queues_);
  }
  wake_.notify_all();
}

void TaskPool::submit(TaskClass priority, std::function<void()> task) {
  const std::scoped_lock lock(mutex_);
  if (is_closed_) return;
  queues_[static_cast<size_t>(priority)].push_back(std::move(task));
  start_threads();
}

size_t TaskPool::waiting(TaskClass priority) const {
  const std::scoped_lock lock(mutex_);
  return queues_[static_cast<size_t>(priority)].size();
}

size_t TaskPool::running(TaskClass priority) const {
  const std::scoped_lock lock(mutex_);
  return running_[static_cast<size_t>(priority)];
}

size_t TaskPool::pick() const {
  if (active_ >= threads_) return kClasses;
  for (size_t i = 0; i < kClasses; ++i)
    if (!queues_[i].empty() && (!is_heavy(i) || active_heavy_ < heavy_)) return i;
  return kClasses;
}

void TaskPool::start_threads() {
  if (pick() == kClasses) return;
  if (idle_ == 0 && pool_.size() < threads_ + kMostBlocked) {
    const BlockedSignals blocked;
    pool_.emplace_back([this] { loop(); });
  }
  wake_.notify_one();
}

void TaskPool::count(size_t priority, bool is_start) {
  const size_t change = is_start ? 1 : static_cast<size_t>(-1);
  running_[priority] += change;
  active_ += change;
  if (is_heavy(priority)) active_heavy_ += change;
}

void TaskPool::loop() {
  t_pool = this;
  std::unique_lock lock(mutex_);
  while (!is_closed_) {
    const size_t next = pick();
    if (next == kClasses) {
      ++idle_;
      wake_.wait(lock);
      --idle_;
      continue;
    }
    std::function<void()> task = std::move(queues_[next].front());
    queues_[next].pop_front();
    count(next, true);
    start_threads();
    lock.unlock();
    t_class = next;
    task();
    task = nullptr;
    lock.lock();
    count(next, false);
  }
}

TaskPool::Blocked::Blocked() : pool_(t_is_blocked ? nullptr : t_pool) {
  if (pool_ == nullptr) return;
  const std::scoped_lock lock(pool_->mutex_);
  if (pool_->blocked_ >= kMostBlocked) {
    pool_ = nullptr;
    return;
  }
  t_is_blocked = true;
  ++pool_->blocked_;
  pool_->count(t_class, false);
  pool_->start_threads();
}

TaskPool::Blocked::~Blocked() {
  if (pool_ == nullptr) return;
  t_is_blocked = false;
  const std::scoped_lock lock(pool_->mutex_);
  --pool_->blocked_;
  pool_->count(t_class, true);  // beyond the limit for as long as other tasks run
}

}  // namespace tracebraid
