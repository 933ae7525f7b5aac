#include "base/signal_mask.h"

#include <cerrno>
#include <ctime>

namespace tracebraid {
namespace {

sigset_t pipe_signal() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  return set;
}

bool is_pending() {
  sigset_t set;
  return sigpending(&set) == 0 && sigismember(&set, SIGPIPE) == 1;
}

}  // namespace

BlockedSignals::BlockedSignals() {
  sigset_t all;
  sigfillset(&all);
  // The kernel ends a process if a thread blocks the signal of its own fault.
  for (const int caused : {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP, SIGSYS})
    sigdelset(&all, caused);
  pthread_sigmask(SIG_BLOCK, &all, &before_);
}

BlockedSignals::~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

BlockedPipeSignal::BlockedPipeSignal() {
  const sigset_t set = pipe_signal();
  pthread_sigmask(SIG_BLOCK, &set, &before_);
  was_pending_ = is_pending();
}

BlockedPipeSignal::~BlockedPipeSignal() {
  const int number = errno;
  // Consumes the signal of the write. A signal that was pending before belongs to the host.
  if (!was_pending_ && is_pending()) {
    const sigset_t set = pipe_signal();
    const timespec now{};
    while (sigtimedwait(&set, nullptr, &now) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  errno = number;
}

}  // namespace tracebraid
