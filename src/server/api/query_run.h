// QueryRun: one query, from its request until 10 minutes after its end.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "base/stop.h"
#include "server/api/tracked_run.h"

namespace tracebraid::api {

// Written by the thread that runs it, read by any thread.
class QueryRun : public TrackedRun {
 public:
  QueryRun(uint64_t with_id, uint64_t of_trace, uint64_t in_workspace, std::string text,
           std::shared_ptr<Stop> ended_by)
      : id(with_id),
        trace(of_trace),
        workspace(in_workspace),
        sql(std::move(text)),
        stop(std::move(ended_by)) {}

  const uint64_t id, trace, workspace;
  const std::string sql;
  const std::shared_ptr<Stop> stop;  // ends the query
  uint64_t result = 0;               // id of the kept rows, or 0; set before the query begins

  void add_rows(uint64_t rows) { rows_ += rows; }
  uint64_t rows() const { return rows_; }
  std::string json(std::string_view op = {}) const;

 private:
  std::atomic<uint64_t> rows_{0};
};

}  // namespace tracebraid::api
