// The list of routes, from which requests are dispatched and /api/openapi.json is made.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "server/api/api.h"
#include "server/http/message.h"

namespace tracebraid::api {

// A parameter of the query of a target.
struct RouteParameter {
  std::string_view name, about;
};

struct Route {
  std::string_view method;  // "GET"
  std::string_view path;    // below /api/v1; ids in braces: "/traces/{t}/report"
  std::string_view about;   // one phrase, for the documentation
  // Answers on a thread of the class `on`, or on the network thread. Either this or `begin`.
  http::Response (*answer)(Api& api, const Call& call) = nullptr;
  std::optional<TaskClass> on = {};
  // Begins to answer, on the network thread.
  void (*begin)(Api& api, const Call& call, const http::Responder& responder) = nullptr;
  // Takes the body in pieces.
  std::unique_ptr<http::BodySink> (*sink)(Api& api, const Call& call) = nullptr;
  uint64_t most_body = 0;
  std::vector<RouteParameter> parameters = {};
  std::string_view body = {};  // JSON Schema of the request's body; empty: no JSON body
  std::string_view status = "200";
  std::string_view type = "application/json";  // of the answer
  std::string_view schema = {};                // JSON Schema of a JSON answer
};

// All routes below /api/v1, except /login and /ws, which the site answers itself.
std::span<const Route> routes();

// The resources, each in a source of its own.
std::vector<Route> status_routes();
std::vector<Route> trace_routes();
std::vector<Route> report_routes();
std::vector<Route> clock_routes();
std::vector<Route> clock_row_routes();
std::vector<Route> schema_routes();
std::vector<Route> file_routes();
std::vector<Route> upload_routes();
std::vector<Route> export_routes();
std::vector<Route> job_routes();
std::vector<Route> query_routes();
std::vector<Route> workspace_routes();
std::vector<Route> result_routes();
std::vector<Route> settings_routes();
std::vector<Route> track_routes();
std::vector<Route> tile_routes();
std::vector<Route> event_routes();
std::vector<Route> search_routes();
std::vector<Route> draft_routes();

// Limits that clients learn from GET /status.
inline constexpr uint64_t kMostJson = uint64_t{1} << 20;    // bytes of a JSON body
inline constexpr uint64_t kMostChunk = uint64_t{64} << 20;  // bytes of a chunk of an upload
inline constexpr int64_t kMostPageRows = 10'000;            // of a kept result

// Returns 200 with a JSON document.
http::Response json_response(std::string document, unsigned status = 200);
http::Response not_found(std::string_view what, std::string_view id);
// Returns the answer of a request that started a job, {"job"}.
http::Response started_response(const Job& job);
inline constexpr std::string_view kStartedJobSchema =
    R"({"type":"object","required":["job"],"properties":{"job":{"type":"string"}}})";

struct CalledTrace {
  std::shared_ptr<OpenTrace> open;
  std::shared_ptr<const Trace> trace;
};
// Returns the trace that the first id of the call names, or the answer if there is none, or if it
// is not open.
tl::expected<CalledTrace, http::Response> find_trace(const Api& api, const Call& call);
// Returns the draft that the first id of the call names, or the answer if there is none.
tl::expected<std::shared_ptr<OpenDraft>, http::Response> find_draft(const Api& api,
                                                                    const Call& call);

// Returns the OpenAPI 3.1 document of the routes.
const std::string& openapi_json();

}  // namespace tracebraid::api
