// Job: long work that a request started: an import or an export.
#pragma once

#include <memory>
#include <string>

#include "base/progress.h"
#include "base/stop.h"
#include "server/api/tracked_run.h"
#include "server/work/spool.h"

namespace tracebraid::api {

// Written by the worker that runs it, read by any thread.
class Job : public TrackedRun {
 public:
  Job(uint64_t id, std::string_view kind, uint64_t trace,
      std::shared_ptr<SpoolFolder> folder = nullptr)
      : id(id), kind(kind), trace(trace), folder(std::move(folder)) {}

  const uint64_t id;
  const std::string kind;  // "import", "export"
  const uint64_t trace;
  const std::shared_ptr<SpoolFolder> folder;  // of an export: where it writes
  Progress progress;
  const std::shared_ptr<Stop> stop = std::make_shared<Stop>();  // of its statements
  std::string file, file_name;  // of an export: path, and name for the download; set before Done

  // Ends the work early.
  void cancel() {
    progress.cancel();
    stop->request();
  }
  // Returns the document of GET /jobs/{j}; for the WebSocket with a member `op`.
  std::string json(std::string_view op = {}) const;
};

}  // namespace tracebraid::api
