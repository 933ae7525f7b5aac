#include "server/http/send_queue.h"

#include <utility>

#include "server/work/task_pool.h"

namespace tracebraid::http {

bool SendQueue::push(std::string bytes, bool is_text) {
  const std::scoped_lock lock(mutex_);
  if (has_failed_) return false;
  bytes_ += bytes.size();
  messages_.push_back({std::move(bytes), is_text});
  return true;
}

bool SendQueue::pull(Message& to) {
  bool has_message = false;
  {
    const std::scoped_lock lock(mutex_);
    has_message = !messages_.empty();
    to = {};
    if (has_message) {
      to = std::move(messages_.front());
      messages_.pop_front();
      bytes_ -= to.bytes.size();
    }
    sending_ = to.bytes.size();
  }
  sent_.notify_all();
  return has_message;
}

bool SendQueue::wait_until(size_t most) {
  std::unique_lock lock(mutex_);
  const auto is_sent = [&] { return has_failed_ || bytes_ + sending_ <= most; };
  if (is_sent()) return !has_failed_;
  lock.unlock();  // the lock of the pool is never taken within this one
  const TaskPool::Blocked blocked;
  lock.lock();
  sent_.wait(lock, is_sent);
  const bool is_fine = !has_failed_;
  lock.unlock();
  return is_fine;
}

size_t SendQueue::unsent() const {
  const std::scoped_lock lock(mutex_);
  return bytes_ + sending_;
}

void SendQueue::fail() {
  {
    const std::scoped_lock lock(mutex_);
    has_failed_ = true;
    messages_.clear();
    bytes_ = sending_ = 0;
  }
  sent_.notify_all();
}

}  // namespace tracebraid::http
