#include "server/api/site.h"

#include <fmt/format.h>

#include <utility>

#include "server/api/json_body.h"
#include "server/api/problem.h"
#include "server/api/route.h"
#include "server/api/viewer_files.h"

namespace tracebraid::api {
namespace {

constexpr uint64_t kMostLogin = 4096;
constexpr size_t kMostWaiting = 256;  // requests of one class

http::Plan answer(http::Response response) {
  http::Plan plan;
  plan.refusal = with_common_headers(std::move(response));
  return plan;
}

// Matches "/traces/{t}/report" and gathers the ids.
bool matches(std::string_view pattern, std::span<const std::string> segments,
             std::vector<std::string>& ids) {
  ids.clear();
  for (const std::string& segment : segments) {
    if (!pattern.starts_with('/')) return false;
    pattern.remove_prefix(1);
    const std::string_view part = pattern.substr(0, pattern.find('/'));
    pattern.remove_prefix(part.size());
    if (part.starts_with('{'))
      ids.push_back(segment);
    else if (part != segment)
      return false;
  }
  return pattern.empty();
}

bool changes(std::string_view method) { return method == "POST" || method == "PUT"; }

bool has_fine_type(const http::Request& request, const Route& route) {
  std::string_view type = request.header("content-type");
  type = type.substr(0, type.find(';'));
  return type == (route.sink != nullptr ? "application/octet-stream" : "application/json");
}

}  // namespace

http::Response ApiSite::bad_request(unsigned status, std::string_view reason) {
  const ProblemCode code = status == 507   ? kLimit
                           : status == 431 ? ProblemCode{"too_large", 431}
                                           : kBadRequest;
  return with_common_headers(problem(code, reason));
}

http::Plan ApiSite::plan(const http::Request& request) {
  if (std::optional<http::Response> refusal = access_->refuse_foreign(request))
    return answer(*std::move(refusal));
  std::optional<http::Target> target = http::parse_target(request.target);
  if (!target) return answer(problem(kBadRequest, "the target is malformed"));
  if (!target->segments.empty() && target->segments[0] == "api")
    return plan_api(request, *std::move(target));
  if (request.method != "GET" && request.method != "HEAD") {
    http::Response refusal = problem(kNotAllowed, "only GET and HEAD are allowed here");
    refusal.headers.push_back({"Allow", "GET, HEAD"});
    return answer(std::move(refusal));
  }
  const std::string_view path =
      std::string_view(request.target).substr(0, request.target.find('?'));
  if (std::optional<http::Response> file = viewer_file(request, path))
    return answer(*std::move(file));
  return answer(problem(kNotFound, "there is no such file"));
}

http::Plan ApiSite::plan_login() {
  http::Plan plan;
  plan.most_body = kMostLogin;
  plan.too_large = with_common_headers(problem(kTooLarge, "the body is too large"));
  plan.handle = [access = access_](const std::shared_ptr<const http::Request>& request,
                                   const http::Responder& responder) {
    const auto login = [&]() -> Result<http::Response> {
      TB_TRY_ASSIGN(const JsonValue body, parse_json(request->body));
      TB_TRY_ASSIGN(const std::string token, body.member("token").text(""));
      TB_TRY_ASSIGN(const std::string code, body.member("code").text(""));
      return access->login(token, code);
    };
    Result<http::Response> response = login();
    responder.respond(
        with_common_headers(response ? *std::move(response) : problem(response.error())));
  };
  return plan;
}

http::Plan ApiSite::plan_websocket(const http::Request& request) {
  if (!request.is_websocket) {
    http::Response refusal = problem({"bad_request", 426}, "this is a WebSocket");
    refusal.headers.push_back({"Upgrade", "websocket"});
    return answer(std::move(refusal));
  }
  if (request.header("sec-websocket-protocol").find("tracebraid.1") == std::string_view::npos)
    return answer(problem(kBadRequest, "the subprotocol must be tracebraid.1"));
  http::Plan plan;
  plan.subprotocol = "tracebraid.1";
  plan.upgrade = [pages = pages_](std::shared_ptr<http::SocketSender> sender) {
    return pages->open(std::move(sender));
  };
  return plan;
}

http::Plan ApiSite::plan_api(const http::Request& request, http::Target target) {
  if (target.segments.size() == 2 && target.segments[1] == "openapi.json")
    return answer({.type = "application/json", .static_body = openapi_json()});
  if (target.segments.size() < 2 || target.segments[1] != "v1")
    return answer(problem(kNotFound, "the API is at /api/v1"));
  const std::span<const std::string> path = std::span(target.segments).subspan(2);
  if (path.size() == 1 && path[0] == "login" && request.method == "POST") {
    if (!request.header("content-type").starts_with("application/json"))
      return answer(problem(kUnsupportedType, "Content-Type must be application/json"));
    return plan_login();
  }
  if (std::optional<http::Response> refusal = access_->refuse_stranger(request))
    return answer(*std::move(refusal));
  if (path.size() == 1 && path[0] == "ws") return plan_websocket(request);

  const Route* found = nullptr;
  std::string allowed;
  std::vector<std::string> ids;
  const std::string_view method =
      request.method == "HEAD" ? std::string_view("GET") : std::string_view(request.method);
  for (const Route& route : routes()) {
    std::vector<std::string> its_ids;
    if (!matches(route.path, path, its_ids)) continue;
    allowed += (allowed.empty() ? "" : ", ") + std::string(route.method);
    const bool is_exact = route.method == request.method;
    if (!is_exact && (route.method != method || found != nullptr)) continue;
    found = &route;
    ids = std::move(its_ids);
  }
  if (found == nullptr && allowed.empty())
    return answer(problem(kNotFound, fmt::format("there is no {}", request.target)));
  if (found == nullptr) {
    http::Response refusal =
        problem(kNotAllowed, fmt::format("{} is not allowed here", request.method));
    refusal.headers.push_back({"Allow", allowed});
    return answer(std::move(refusal));
  }
  const Route& route = *found;
  if (changes(route.method) && !has_fine_type(request, route))
    return answer(problem(kUnsupportedType, route.sink != nullptr
                                                ? "Content-Type must be application/octet-stream"
                                                : "Content-Type must be application/json"));
  if (route.on && api_->pool.waiting(*route.on) >= kMostWaiting)
    return answer(problem(kRateLimited, "too many requests are waiting; try again later"));

  http::Plan plan;
  plan.most_body = route.most_body;
  plan.too_large = with_common_headers(
      problem(kTooLarge, fmt::format("the body exceeds {} bytes", route.most_body)));
  plan.too_large.close = true;
  Call call{nullptr, std::move(target), std::move(ids)};
  if (route.sink != nullptr) {
    call.request = std::make_shared<const http::Request>(request);
    plan.sink = route.sink(*api_, call);
    if (plan.sink == nullptr) return answer(route.answer(*api_, call));
  }
  plan.handle = [api = api_, &route, call = std::move(call)](
                    std::shared_ptr<const http::Request> whole, const http::Responder& responder) {
    Call its = call;
    its.request = std::move(whole);
    if (route.begin != nullptr) return route.begin(*api, its, responder);
    if (!route.on) return responder.respond(with_common_headers(route.answer(*api, its)));
    api->pool.submit(*route.on, [api, &route, its = std::move(its), responder] {
      responder.respond(with_common_headers(route.answer(*api, its)));
    });
  };
  return plan;
}

}  // namespace tracebraid::api
