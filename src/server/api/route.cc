#include "server/api/route.h"

#include <fmt/format.h>

#include <iterator>

#include "base/words.h"
#include "engine/rows.h"
#include "server/api/problem.h"

namespace tracebraid::api {

std::span<const Route> routes() {
  static const std::vector<Route> kRoutes = [] {
    std::vector<Route> all;
    for (const auto resource :
         {status_routes, file_routes, upload_routes, trace_routes, report_routes, clock_routes,
          clock_row_routes, schema_routes, track_routes, tile_routes, event_routes, search_routes,
          draft_routes, workspace_routes, query_routes, result_routes, export_routes, job_routes,
          settings_routes}) {
      std::vector<Route> routes = resource();
      std::move(routes.begin(), routes.end(), std::back_inserter(all));
    }
    return all;
  }();
  return kRoutes;
}

http::Response json_response(std::string document, unsigned status) {
  return {.status = status, .type = "application/json", .body = std::move(document)};
}

http::Response not_found(std::string_view what, std::string_view id) {
  return problem(kNotFound, fmt::format("there is no {} '{}'", what, id));
}

http::Response started_response(const Job& job) {
  JsonText json(JsonText::kCompact);
  json.open_object().add("job", std::to_string(job.id)).close_object();
  return json_response(std::move(json).finish(), 202);
}

tl::expected<CalledTrace, http::Response> find_trace(const Api& api, const Call& call) {
  auto open = api.traces.find(call.id(0));
  if (open == nullptr) return tl::unexpected(not_found("trace", call.ids[0]));
  Result<std::shared_ptr<const Trace>> trace = open->find();
  if (!trace) return tl::unexpected(problem(kConflict, trace.error().message));
  return CalledTrace{std::move(open), *std::move(trace)};
}

tl::expected<std::shared_ptr<OpenDraft>, http::Response> find_draft(const Api& api,
                                                                    const Call& call) {
  auto draft = api.drafts.find(call.id(0));
  if (draft == nullptr) return tl::unexpected(not_found("draft", call.ids[0]));
  draft->touch();
  return draft;
}

uint64_t Call::id(size_t number) const {
  const std::optional<int64_t> id = number < ids.size() ? parse_decimal(ids[number]) : std::nullopt;
  return id && *id > 0 ? static_cast<uint64_t>(*id) : 0;
}

}  // namespace tracebraid::api
