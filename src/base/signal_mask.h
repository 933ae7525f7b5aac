// Signals belong to the host: the library installs no handler and runs none on its threads.
#pragma once

#include <signal.h>

namespace tracebraid {

// While it lives, the calling thread blocks all signals but those that the thread itself causes
// (SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP, SIGSYS). Threads that are started meanwhile inherit
// that, so that handlers of the host run on threads of the host. Same thread at both ends.
class BlockedSignals {
 public:
  BlockedSignals();
  ~BlockedSignals();
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_;
};

// While it lives, a write of the calling thread to a pipe that nobody reads fails with EPIPE and
// sends no SIGPIPE, whatever the host does with that signal. Same thread at both ends. Keeps errno.
class BlockedPipeSignal {
 public:
  BlockedPipeSignal();
  ~BlockedPipeSignal();
  BlockedPipeSignal(const BlockedPipeSignal&) = delete;
  BlockedPipeSignal& operator=(const BlockedPipeSignal&) = delete;

 private:
  sigset_t before_;
  bool was_pending_;
};

}  // namespace tracebraid
