// CallApart: calls of code that cannot be stopped.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "query/scan/stop_check.h"

namespace tracebraid {

class CallApart {
 public:
  CallApart();

  // Calls `work` on another thread and waits for it. Returns false if `stop` stopped: then the call
  // goes on, with what `work` owns, until it ends or looks at its argument, whether it is
  // abandoned. The next call waits for its end, so that at most one thread is left behind. Rethrows
  // the exception of `work`.
  bool run(const StopCheck& stop, std::function<void(const std::atomic<bool>&)> work);

 private:
  struct State;
  bool wait(const StopCheck& stop);

  std::shared_ptr<State> state_;
};

}  // namespace tracebraid
