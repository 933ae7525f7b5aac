// Ctrl-C: asks long work to stop, rather than ending the program.
#pragma once

#include <csignal>

#include "session/session.h"

namespace tracebraid {

// While one lives, the first Ctrl-C calls `stop(what)` in the signal handler; a
// second one ends the program, should the work not listen. At most one lives at
// a time. Afterwards Ctrl-C does what it did before.
class OnInterrupt {
 public:
  OnInterrupt(void (*stop)(void* what), void* what);
  // Stops the query that the session runs.
  explicit OnInterrupt(Session& session)
      : OnInterrupt([](void* what) { static_cast<Session*>(what)->interrupt(); }, &session) {}
  ~OnInterrupt();
  OnInterrupt(const OnInterrupt&) = delete;
  OnInterrupt& operator=(const OnInterrupt&) = delete;

 private:
  struct sigaction before_ = {};
};

}  // namespace tracebraid
