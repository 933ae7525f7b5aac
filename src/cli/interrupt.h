// Ctrl-C, and being told to end: asks long work to stop, rather than ending the program.
#pragma once

#include <csignal>
#include <optional>

#include "engine/connection.h"

namespace tracebraid {

// While one lives, the first Ctrl-C calls `stop(what)` in the signal handler; a
// second one ends the program, should the work not listen. At most one lives at
// a time. Afterwards Ctrl-C does what it did before.
class OnInterrupt {
 public:
  // Also when the program is to end: SIGTERM, and a terminal that is closed. Work that has begun
  // a file can take it away again.
  OnInterrupt(void (*stop)(void* what), void* what);
  // Stops the query that the connection runs.
  explicit OnInterrupt(TraceConnection& connection)
      : OnInterrupt([](void* what) { static_cast<TraceConnection*>(what)->interrupt(); },
                    &connection, 1) {}
  ~OnInterrupt();
  OnInterrupt(const OnInterrupt&) = delete;
  OnInterrupt& operator=(const OnInterrupt&) = delete;

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
  OnInterrupt(void (*stop)(void* what), void* what, size_t signals);

  size_t signals_;  // so many of kSignals
  struct sigaction before_[std::size(kSignals)] = {};
};

// The signal that stopped work last; nothing if none did.
std::optional<int> stopping_signal();

}  // namespace tracebraid
