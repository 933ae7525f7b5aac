// Engine: what a host gives to the traces that it opens. A front end (cli, later server and capi)
// makes one from EngineOptions and opens traces with it (engine/trace.h).
//
// A front end includes headers of engine/ and base/ only. Several engines of one process do not
// influence each other. Nothing in them reads the environment, prints, or ends the process.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace tracebraid {

struct EngineOptions {
  unsigned threads = 0;  // that read and merge one trace; 0: as many as the machine has
  // Days since 1970-01-01: logs without years get theirs by it. None: the date when the engine is
  // made.
  std::optional<int64_t> today;
};

// Immutable; any thread may use it.
class Engine {
 public:
  static Result<std::shared_ptr<const Engine>> create(const EngineOptions& options);

  unsigned threads() const { return threads_; }  // at least 1
  int64_t today() const { return today_; }

 private:
  Engine(unsigned threads, int64_t today) : threads_(threads), today_(today) {}

  unsigned threads_;
  int64_t today_;
};

// "0.1.0".
std::string_view version();

}  // namespace tracebraid
