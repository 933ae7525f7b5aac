#include "server/api/job.h"

#include "engine/rows.h"
#include "server/api/problem.h"

namespace tracebraid::api {

std::string Job::json(std::string_view op) const {
  const Status now = status();
  JsonText json(JsonText::kCompact);
  json.open_object();
  if (!op.empty()) json.add("op", op);
  json.add("job", std::to_string(id)).add("kind", kind).add("state", state_name(now.state));
  if (trace != 0) json.add("trace", std::to_string(trace));
  const uint64_t done = progress.done();
  const char* const stage = progress.stage();
  json.add("stage", stage == nullptr ? "" : stage);
  json.add("done", done).add("total", progress.total()).add("unit", progress.unit());
  json.add("elapsed_ms", now.elapsed_ms);
  if (now.error) json.add_raw("error", problem_json(*now.error));
  if (now.state == RunState::Done && !file_name.empty()) json.add("file", file_name);
  json.close_object();
  return std::move(json).finish();
}

}  // namespace tracebraid::api
