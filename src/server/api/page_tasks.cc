#include "server/api/page_tasks.h"

#include <utility>

namespace tracebraid::api {

bool PageTasks::submit(TaskClass priority, std::function<void()> task) {
  {
    const std::scoped_lock lock(mutex_);
    if (running_ == kMostAtOnce) {
      if (waiting_.size() == kMostWaiting) return false;
      waiting_.push_back({priority, std::move(task)});
      return true;
    }
    ++running_;
  }
  start({priority, std::move(task)});
  return true;
}

void PageTasks::close() {
  std::deque<Task> dropped;
  const std::scoped_lock lock(mutex_);
  dropped.swap(waiting_);
}

void PageTasks::start(Task task) {
  pool_.submit(task.priority, [me = shared_from_this(), run = std::move(task.run)] {
    run();
    me->start_next();
  });
}

void PageTasks::start_next() {
  Task next;
  {
    const std::scoped_lock lock(mutex_);
    if (waiting_.empty()) {
      --running_;
      return;
    }
    next = std::move(waiting_.front());
    waiting_.pop_front();
  }
  start(std::move(next));
}

}  // namespace tracebraid::api
