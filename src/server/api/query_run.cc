#include "server/api/query_run.h"

#include "engine/rows.h"
#include "server/api/problem.h"

namespace tracebraid::api {

void QueryRun::start() {
  const std::scoped_lock lock(mutex_);
  state_ = RunState::Running;
  began_ = Clock::now();
}

void QueryRun::end(const Result<>& ended) {
  const std::scoped_lock lock(mutex_);
  ended_ = Clock::now();
  state_ = ended                                        ? RunState::Done
           : ended.error().code == ErrorCode::Cancelled ? RunState::Cancelled
                                                        : RunState::Failed;
  if (!ended) error_ = ended.error();
}

RunState QueryRun::state() const {
  const std::scoped_lock lock(mutex_);
  return state_;
}

std::optional<Clock::time_point> QueryRun::ended() const {
  const std::scoped_lock lock(mutex_);
  return ended_;
}

std::optional<Error> QueryRun::error() const {
  const std::scoped_lock lock(mutex_);
  return error_;
}

int64_t QueryRun::elapsed_ms() const {
  const std::scoped_lock lock(mutex_);
  if (state_ == RunState::Queued) return 0;
  return std::chrono::duration_cast<std::chrono::milliseconds>(ended_.value_or(Clock::now()) -
                                                               began_)
      .count();
}

std::string QueryRun::json(std::string_view op) const {
  JsonText json(JsonText::kCompact);
  json.open_object();
  if (!op.empty()) json.add("op", op);
  json.add("query", std::to_string(id)).add("trace", std::to_string(trace));
  if (workspace != 0) json.add("workspace", std::to_string(workspace));
  json.add("state", state_name(state())).add("sql", sql).add("rows", rows());
  json.add("elapsed_ms", elapsed_ms());
  if (result != 0) json.add("result", std::to_string(result));
  if (const std::optional<Error> failed = error()) json.add_raw("error", problem_json(*failed));
  json.close_object();
  return std::move(json).finish();
}

}  // namespace tracebraid::api
