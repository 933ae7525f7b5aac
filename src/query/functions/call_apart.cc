#include "query/functions/call_apart.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace tracebraid {

struct CallApart::State {
  std::mutex mutex;
  std::condition_variable ended;
  bool is_running = false;
  std::atomic<bool> is_abandoned = false;
  std::exception_ptr exception;
};

namespace {

// Runs `work` on a thread. If there is none, nothing runs, and the error is thrown.
template <class State, class Work>
std::thread start(const std::shared_ptr<State>& state, Work work) {
  const auto run = [state, work = std::move(work)]() mutable {
    std::exception_ptr exception;
    try {
      work(state->is_abandoned);
    } catch (...) {
      exception = std::current_exception();
    }
    work = nullptr;
    const std::scoped_lock lock(state->mutex);
    state->exception = exception;
    state->is_running = false;
    state->ended.notify_all();
  };
  try {
    return std::thread(run);
  } catch (...) {
    state->is_running = false;
    throw;
  }
}

}  // namespace

CallApart::CallApart() : state_(std::make_shared<State>()) {}

// Returns false if stopped before the call ended.
bool CallApart::wait(const StopCheck& stop) {
  constexpr std::chrono::milliseconds kBetweenChecks(5);
  std::unique_lock<std::mutex> lock(state_->mutex);
  while (!state_->ended.wait_for(lock, kBetweenChecks, [&] { return !state_->is_running; }))
    if (stop.stopped()) return false;
  return true;
}

bool CallApart::run(const StopCheck& stop, std::function<void(const std::atomic<bool>&)> work) {
  if (!wait(stop)) return false;
  state_->is_running = true;
  state_->is_abandoned = false;
  state_->exception = nullptr;
  std::thread thread = start(state_, std::move(work));
  if (!wait(stop)) {
    state_->is_abandoned = true;
    thread.detach();
    return false;
  }
  thread.join();
  if (state_->exception != nullptr)
    std::rethrow_exception(std::exchange(state_->exception, nullptr));
  return true;
}

}  // namespace tracebraid
