#include "base/workers.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <new>
#include <system_error>
#include <utility>

#include "base/signal_mask.h"

namespace tracebraid {

Workers::Workers(unsigned threads) {
  if (threads < 2) return;
  pool_.reserve(threads - 1);
  const BlockedSignals for_new_threads;
  try {
    for (unsigned i = 1; i < threads; ++i) pool_.emplace_back([this] { loop(); });
  } catch (const std::bad_alloc&) {
    return;
  } catch (const std::system_error&) {
    // The system provides no more threads; the existing threads and the callers do the work.
    return;
  }
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : pool_) thread.join();
}

void Workers::run(size_t n, const std::function<void(size_t)>& task) {
  if (pool_.empty() || n < 2) {
    for (size_t i = 0; i < n; ++i) task(i);
    return;
  }
  std::atomic<size_t> next = 0;
  TaskGroup group(*this);
  for (size_t k = 0, runners = std::min<size_t>(n, threads()); k < runners; ++k)
    group.add([&] {
      for (size_t i = next++; i < n; i = next++) task(i);
    });
  group.wait();
}

void Workers::push(Job job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  wake_.notify_all();
}

bool Workers::run_one(std::unique_lock<std::mutex>& lock, const void* group) {
  const auto job = std::find_if(jobs_.begin(), jobs_.end(),
                                [&](const Job& j) { return !group || j.group == group; });
  if (job == jobs_.end()) return false;
  const std::function<void()> work = std::move(job->work);
  jobs_.erase(job);
  lock.unlock();
  work();
  lock.lock();
  return true;
}

void Workers::loop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stop_ || !jobs_.empty(); });
    if (stop_) return;
    run_one(lock, nullptr);
  }
}

TaskGroup::TaskGroup(Workers& workers) : workers_(workers), limit_(size_t{2} * workers.threads()) {}

TaskGroup::~TaskGroup() { join(); }

void TaskGroup::add(std::function<void()> task) {
  if (workers_.pool_.empty()) {
    ++pending_;
    execute(task);
    return;
  }
  {
    std::unique_lock lock(workers_.mutex_);
    while (pending_ >= limit_)
      if (!workers_.run_one(lock, this)) workers_.wake_.wait(lock);
    ++pending_;
  }
  workers_.push({[this, task = std::move(task)] { execute(task); }, this});
}

void TaskGroup::wait() {
  join();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void TaskGroup::execute(const std::function<void()>& task) {
  std::exception_ptr failure;
  try {
    task();
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard lock(workers_.mutex_);
  if (failure && !failure_) failure_ = failure;
  --pending_;
  // Notifies under the lock, because the group may be destroyed as soon as its waiter sees zero.
  workers_.wake_.notify_all();
}

void TaskGroup::join() {
  std::unique_lock lock(workers_.mutex_);
  while (pending_ > 0)
    if (!workers_.run_one(lock, this)) workers_.wake_.wait(lock);
}

}  // namespace tracebraid
