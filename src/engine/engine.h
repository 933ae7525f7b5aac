// Engine: the resources that a host gives to the traces it opens. In: EngineOptions. Out: an
// Engine, with which a front end (cli, later server and capi) opens traces (engine/trace.h).
//
// A front end includes headers of engine/ and base/ only. Engines of one process are independent.
// The functions of engine/ that return a Result throw nothing: exceptions of the library become
// Errors (base/boundary.h). tools/forbidden_calls.py lists what the library does not do to the
// process of its host.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace tracebraid {

struct EngineOptions {
  unsigned threads = 0;  // number of threads that read and merge one trace; 0: one per processor
  // Today in days since 1970-01-01, from which logs without years get their year. None: the date
  // when the engine is created.
  std::optional<int64_t> today;
  // The folder of libtracebraid_arrow.so, which writes Parquet and Arrow files. Without it these
  // exports are Unsupported.
  std::string plugin_folder = {};
};

// Immutable and thread-safe.
class Engine {
 public:
  static Result<std::shared_ptr<const Engine>> create(const EngineOptions& options);

  unsigned threads() const { return threads_; }  // at least 1
  int64_t today() const { return today_; }
  const std::string& plugin_folder() const { return plugin_folder_; }

 private:
  Engine(unsigned threads, int64_t today, std::string plugin_folder)
      : threads_(threads), today_(today), plugin_folder_(std::move(plugin_folder)) {}

  unsigned threads_;
  int64_t today_;
  std::string plugin_folder_;
};

// Returns the version: "0.1.0".
std::string_view version();

}  // namespace tracebraid
