// Job: long work that a request started: an import or an export.
#pragma once

#include <string>

#include "base/progress.h"
#include "server/api/tracked_run.h"

namespace tracebraid::api {

// Written by the worker that runs it, read by any thread.
class Job : public TrackedRun {
 public:
  Job(uint64_t id, std::string_view kind, uint64_t trace) : id(id), kind(kind), trace(trace) {}

  const uint64_t id;
  const std::string kind;  // "import", "export"
  const uint64_t trace;
  Progress progress;
  std::string file, file_name;  // of an export: path, and name for the download; set before Done
  uint64_t file_bytes = 0;      // counted in the spool

  // Returns the document of GET /jobs/{j}; for the WebSocket with a member `op`.
  std::string json(std::string_view op = {}) const;
};

}  // namespace tracebraid::api
