// QueryRun: one query, from its request until 10 minutes after its end.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/stop.h"
#include "server/api/job.h"

namespace tracebraid::api {

// Written by the thread that runs it, read by any thread.
class QueryRun {
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

  void start();
  void add_rows(uint64_t rows) { rows_ += rows; }
  void end(const Result<>& ended);
  RunState state() const;
  uint64_t rows() const { return rows_; }
  int64_t elapsed_ms() const;
  std::optional<Clock::time_point> ended() const;
  std::optional<Error> error() const;
  std::string json(std::string_view op = {}) const;

 private:
  mutable std::mutex mutex_;
  std::atomic<uint64_t> rows_{0};
  RunState state_ = RunState::Queued;
  Clock::time_point began_ = Clock::now();
  std::optional<Clock::time_point> ended_;
  std::optional<Error> error_;
};

}  // namespace tracebraid::api
