#include "server/api/job.h"

#include "engine/rows.h"
#include "server/api/problem.h"

namespace tracebraid::api {

std::string_view state_name(RunState state) {
  constexpr std::string_view kNames[] = {"queued", "running", "done", "failed", "cancelled"};
  return kNames[static_cast<size_t>(state)];
}

void Job::start() {
  const std::scoped_lock lock(mutex_);
  state_ = RunState::Running;
  began_ = Clock::now();
}

void Job::end(const Result<>& result) {
  const std::scoped_lock lock(mutex_);
  ended_ = Clock::now();
  state_ = result                                        ? RunState::Done
           : result.error().code == ErrorCode::Cancelled ? RunState::Cancelled
                                                         : RunState::Failed;
  if (!result) error_ = result.error();
}

RunState Job::state() const {
  const std::scoped_lock lock(mutex_);
  return state_;
}

std::optional<Clock::time_point> Job::ended() const {
  const std::scoped_lock lock(mutex_);
  return ended_;
}

std::optional<Error> Job::error() const {
  const std::scoped_lock lock(mutex_);
  return error_;
}

std::string Job::json(std::string_view op) const {
  const std::scoped_lock lock(mutex_);
  const auto spent =
      std::chrono::duration_cast<std::chrono::milliseconds>(ended_.value_or(Clock::now()) - began_)
          .count();
  JsonText json(JsonText::kCompact);
  json.open_object();
  if (!op.empty()) json.add("op", op);
  json.add("job", std::to_string(id)).add("kind", kind).add("state", state_name(state_));
  if (trace != 0) json.add("trace", std::to_string(trace));
  const uint64_t done = progress.done();
  const char* const stage = progress.stage();
  json.add("stage", stage == nullptr ? "" : stage);
  json.add("done", done).add("total", progress.total()).add("unit", progress.unit());
  json.add("elapsed_ms", state_ == RunState::Queued ? 0 : spent);
  if (error_) json.add_raw("error", problem_json(*error_));
  if (state_ == RunState::Done && !file_name.empty()) json.add("file", file_name);
  json.close_object();
  return std::move(json).finish();
}

}  // namespace tracebraid::api
