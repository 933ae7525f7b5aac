// Handles SIGINT and SIGTERM: asks long work to stop instead of ending the program.
#pragma once

#include <csignal>
#include <optional>

#include "engine/connection.h"

namespace tracebraid {

// While an object exists, the first Ctrl-C calls `stop(what)` in the signal handler; a second one
// ends the program. At most one object may exist at a time. The destructor restores the previous
// handlers.
class OnInterrupt {
 public:
  // Also handles SIGTERM and SIGHUP, so that work can remove an incomplete file.
  OnInterrupt(void (*stop)(void* what), void* what);
  // Stops the query of the connection.
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

// Returns the signal that came while the last OnInterrupt existed, if any.
std::optional<int> stopping_signal();

}  // namespace tracebraid
