#include "server/api/access.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/hex.h"
#include "base/words.h"
#include "server/api/problem.h"

namespace tracebraid::api {
namespace {

constexpr unsigned kMostFailures = 10;  // a second
constexpr std::chrono::seconds kCodeTime{60};

bool is_equal_host(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower_case, lower_case);
}

// Returns the value of a cookie; empty if there is none.
std::string_view cookie_of(const http::Request& request, std::string_view name) {
  std::string_view rest = request.header("cookie");
  while (!rest.empty()) {
    const size_t end = rest.find(';');
    std::string_view pair = trim(rest.substr(0, end));
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    if (pair.starts_with(name) && pair.substr(name.size()).starts_with('='))
      return pair.substr(name.size() + 1);
  }
  return {};
}

}  // namespace

Result<std::string> random_token() {
  std::array<char, 32> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return fail(ErrorCode::Io, fmt::format("cannot make a token: {}", std::strerror(errno)));
  return hex_of({bytes.data(), bytes.size()});
}

bool is_equal_secret(std::string_view given, std::string_view secret) {
  if (given.size() != secret.size() || secret.empty()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < secret.size(); ++i)
    difference |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(secret[i]);
  return difference == 0;
}

Access::Access(std::string token, std::string cookie, std::string code, uint16_t port,
               std::vector<std::string> hosts)
    : token_(std::move(token)),
      cookie_(std::move(cookie)),
      cookie_name_(fmt::format("tb_{}", port)),
      code_(std::move(code)),
      hosts_(std::move(hosts)),
      code_ends_(std::chrono::steady_clock::now() + kCodeTime) {}

std::optional<http::Response> Access::refuse_foreign(const http::Request& request) const {
  const std::string_view host = request.header("host");
  const auto is_ours = [&](std::string_view name) {
    return std::ranges::any_of(hosts_,
                               [&](const std::string& h) { return is_equal_host(h, name); });
  };
  if (!is_ours(host))
    return problem(kForbidden, fmt::format("the server does not serve the host '{}'; name it with "
                                           "--allow-host",
                                           host));
  if (!request.has("origin")) return std::nullopt;
  const std::string_view origin = request.header("origin");
  for (const std::string_view scheme : {"http://", "https://"})
    if (origin.starts_with(scheme) && is_ours(origin.substr(scheme.size()))) return std::nullopt;
  return problem(kForbidden, "requests of other origins are not answered");
}

http::Response Access::refuse() {
  const auto now = std::chrono::steady_clock::now();
  if (now - second_ > std::chrono::seconds(1)) {
    second_ = now;
    failures_ = 0;
  }
  if (++failures_ > kMostFailures)
    return problem(kRateLimited, "too many requests without the token; wait a second");
  http::Response response = problem(
      kUnauthorized, "give the token that the server printed, as 'Authorization: Bearer TOKEN'");
  response.headers.push_back({"WWW-Authenticate", "Bearer"});
  return response;
}

std::optional<http::Response> Access::refuse_stranger(const http::Request& request) {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string_view given = request.header("authorization");
  if (given.starts_with(kBearer) && is_equal_secret(given.substr(kBearer.size()), token_))
    return std::nullopt;
  if (is_equal_secret(cookie_of(request, cookie_name_), cookie_)) return std::nullopt;
  return refuse();
}

http::Response Access::login(std::string_view token, std::string_view code) {
  const bool has_code =
      std::chrono::steady_clock::now() < code_ends_ && is_equal_secret(code, code_);
  if (!has_code && !is_equal_secret(token, token_)) return refuse();
  if (has_code) code_.clear();
  return {.status = 204,
          .headers = {{"Set-Cookie", fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/",
                                                 cookie_name_, cookie_)}}};
}

}  // namespace tracebraid::api
