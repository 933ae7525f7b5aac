// Signals belong to the host: the library installs no handler and runs none on its threads.
#pragma once

#include <signal.h>

namespace tracebraid {

// Blocks, in the calling thread and during its lifetime, all signals except those that the thread
// itself causes (SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP, SIGSYS). Threads started meanwhile
// inherit the mask, so handlers of the host run on threads of the host. Requires: destroyed on the
// thread that made it.
class BlockedSignals {
 public:
  BlockedSignals();
  ~BlockedSignals();
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_;
};

// Makes a write of the calling thread to a pipe without a reader fail with EPIPE, without SIGPIPE,
// whatever the host does with that signal. Keeps errno. Requires: destroyed on the thread that made
// it.
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
