#include "assemble/lane.h"

#include <utility>

namespace tracebraid {

void Lane::send() {
  const size_t waiting = 1 + waiting_.fetch_add(1, std::memory_order_relaxed);
  {
    const std::lock_guard lock(blocks_mutex_);
    blocks_.push_back(std::exchange(filling_, {}));
    if (!done_.empty()) {
      filling_ = std::move(done_.back());
      done_.pop_back();
    }
  }
  if (!on_more_) return do_until_wait(0);
  if (waiting % kWorthWaking == 0) on_more_();
  if (waiting <= kMaxWaiting) return;
  const std::unique_lock free(doing_, std::try_to_lock);
  if (free) {
    for (size_t i = 0; i < kAtOnce; ++i) do_one();
    return;
  }
  if (lanes_ != nullptr) lanes_->help(this);
  // Much more than usual: the other thread is left alone with it for too long.
  if (waiting > 2 * kMaxWaiting) do_until_wait(kMaxWaiting);
}

void Lane::finish_all() {
  if (filling_.size > 0) send();
  do_until_wait(0);
}

void Lane::do_until_wait(size_t most) {
  const std::lock_guard doing(doing_);
  while (waiting_.load(std::memory_order_acquire) > most && do_one()) continue;
}

bool Lane::help() {
  const std::unique_lock doing(doing_, std::try_to_lock);
  if (!doing) return false;
  for (size_t i = 0; i < kAtOnce; ++i)
    if (!do_one()) return false;
  return true;
}

// By who holds doing_. False if none waits.
bool Lane::do_one() {
  Block block;
  {
    const std::lock_guard lock(blocks_mutex_);
    if (blocks_.empty()) return false;
    block = std::move(blocks_.front());
    blocks_.pop_front();
  }
  run_(block);
  {
    const std::lock_guard lock(blocks_mutex_);
    done_.push_back({.words = std::move(block.words)});
  }
  waiting_.fetch_sub(1, std::memory_order_release);
  return true;
}

}  // namespace tracebraid
