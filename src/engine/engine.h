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

#include "base/host_files.h"
#include "base/memory_limit.h"
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
  // Access to inputs: "read" copies their bytes, "map" maps them, which is faster but needs a host
  // that handles SIGBUS (files.mapping_guard).
  std::string io = "read";
  // Bytes that all traces of the engine may hold together; 0: no limit. base/memory_limit.h defines
  // what is counted. An opening that needs more is an Error of code NoMemory.
  uint64_t memory_limit = 0;
  // The folder of temporary files, and how the host uses files in its process. The engine sets
  // `access` and `damage`.
  HostFiles files;
};

// Immutable and thread-safe.
class Engine {
 public:
  static Result<std::shared_ptr<const Engine>> create(const EngineOptions& options);

  unsigned threads() const { return threads_; }  // at least 1
  int64_t today() const { return today_; }
  const std::string& plugin_folder() const { return plugin_folder_; }
  // Returns null if memory is not counted.
  const std::shared_ptr<MemoryLimit>& memory_limit() const { return memory_limit_; }
  // Returns HostFiles with lists of damage and of inputs of its own, for one opening.
  HostFiles new_files() const;

 private:
  Engine(unsigned threads, int64_t today, const EngineOptions& options);

  unsigned threads_;
  int64_t today_;
  std::string plugin_folder_;
  std::shared_ptr<MemoryLimit> memory_limit_;
  HostFiles files_;
};

// Returns the version: "0.1.0".
std::string_view version();

}  // namespace tracebraid
