#include "server/api/query_run.h"

#include "engine/rows.h"
#include "server/api/problem.h"

namespace tracebraid::api {

std::string QueryRun::json(std::string_view op) const {
  const Status now = status();
  JsonText json(JsonText::kCompact);
  json.open_object();
  if (!op.empty()) json.add("op", op);
  json.add("query", std::to_string(id)).add("trace", std::to_string(trace));
  if (workspace != 0) json.add("workspace", std::to_string(workspace));
  json.add("state", state_name(now.state)).add("sql", sql).add("rows", rows());
  json.add("elapsed_ms", now.elapsed_ms);
  if (result != 0) json.add("result", std::to_string(result));
  if (now.error) json.add_raw("error", problem_json(*now.error));
  json.close_object();
  return std::move(json).finish();
}

}  // namespace tracebraid::api
