#include <condition_variable>
#include <thread>

#include "base/signal_mask.h"
#include "capi/handles.h"

namespace tracebraid::capi {

// Polls, because tracebraid_control_cancel() may be called in a signal handler, where no thread can
// be woken.
struct Run::Watch {
  static constexpr std::chrono::milliseconds kPoll{10};

  Watch(tracebraid_control& of, Progress& run, Stop& of_statements)
      : control(of), progress(run), statements(of_statements) {
    const std::lock_guard lock(control.mutex);
    deadline = control.deadline;
  }
  ~Watch() {
    {
      const std::lock_guard lock(mutex);
      is_done = true;
    }
    wake.notify_all();
    if (thread.joinable()) thread.join();
  }

  void loop() {
    std::unique_lock lock(mutex);
    for (auto reported = begun; !is_done; wake.wait_for(lock, kPoll)) {
      const auto now = std::chrono::steady_clock::now();
      if (control.stop->requested()) cancel();
      if (deadline.count() != 0 && now - begun >= deadline) {
        has_timed_out = true;
        cancel();
      }
      lock.unlock();
      report(now, reported);
      lock.lock();
    }
  }

  void report(std::chrono::steady_clock::time_point now,
              std::chrono::steady_clock::time_point& reported) {
    const std::lock_guard lock(control.mutex);  // one call at a time, of all runs of the control
    if (control.on_progress == nullptr || now - reported < control.interval) return;
    const char* const stage = progress.stage();
    if (stage == nullptr) return;
    reported = now;
    if (control.on_progress(control.context, stage, progress.unit(), progress.done(),
                            progress.total()) != 0)
      cancel();
  }

  void cancel() {
    progress.cancel();
    statements.request();
  }

  tracebraid_control& control;
  Progress& progress;
  Stop& statements;
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  std::chrono::milliseconds deadline{0};
  std::atomic<bool> has_timed_out{false};
  std::mutex mutex;  // guards is_done
  std::condition_variable wake;
  bool is_done = false;
  std::thread thread;
};

Run::Run(tracebraid_control* control) {
  if (control == nullptr) return;
  watch_ = std::make_unique<Watch>(*control, progress_, *stop_);
  if (control->stop->requested()) watch_->cancel();
  const BlockedSignals blocked;  // the thread inherits the mask
  watch_->thread = std::thread([watch = watch_.get()] { watch->loop(); });
}

Run::~Run() = default;

Error Run::error(Error error) const {
  if (error.code == ErrorCode::Cancelled && watch_ != nullptr && watch_->has_timed_out)
    return {ErrorCode::Timeout, "the deadline passed"};
  return error;
}

}  // namespace tracebraid::capi

using namespace tracebraid::capi;

extern "C" {

tracebraid_control* tracebraid_control_new(void) {
  try {
    return new tracebraid_control;
  } catch (const std::exception&) {
    return nullptr;
  }
}

void tracebraid_control_free(tracebraid_control* control) {
  if (is_owned(control)) delete control;
}

int tracebraid_control_on_progress(tracebraid_control* control,
                                   int (*f)(void*, const char*, const char*, uint64_t, uint64_t),
                                   void* context, unsigned interval_ms, tracebraid_error** err) {
  return guarded(err, [&]() -> tracebraid::Result<> {
    TB_TRY(check(control, "control"));
    const std::lock_guard lock(control->mutex);
    control->on_progress = f;
    control->context = context;
    control->interval = std::chrono::milliseconds(interval_ms);
    return {};
  });
}

void tracebraid_control_cancel(tracebraid_control* control) {
  if (control != nullptr) control->stop->request();
}

int tracebraid_control_deadline(tracebraid_control* control, unsigned ms, tracebraid_error** err) {
  return guarded(err, [&]() -> tracebraid::Result<> {
    TB_TRY(check(control, "control"));
    const std::lock_guard lock(control->mutex);
    control->deadline = std::chrono::milliseconds(ms);
    return {};
  });
}

}  // extern "C"
