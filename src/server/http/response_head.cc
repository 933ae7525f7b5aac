#include "server/http/response_head.h"

#include <fmt/format.h>

namespace tracebraid::http {
namespace {

struct Reason {
  unsigned status;
  std::string_view text;
};
constexpr Reason kReasons[] = {{200, "OK"},
                               {201, "Created"},
                               {202, "Accepted"},
                               {204, "No Content"},
                               {304, "Not Modified"},
                               {400, "Bad Request"},
                               {401, "Unauthorized"},
                               {403, "Forbidden"},
                               {404, "Not Found"},
                               {405, "Method Not Allowed"},
                               {406, "Not Acceptable"},
                               {409, "Conflict"},
                               {410, "Gone"},
                               {412, "Precondition Failed"},
                               {413, "Content Too Large"},
                               {415, "Unsupported Media Type"},
                               {422, "Unprocessable Content"},
                               {426, "Upgrade Required"},
                               {429, "Too Many Requests"},
                               {431, "Request Header Fields Too Large"},
                               {499, "Client Closed Request"},
                               {500, "Internal Server Error"},
                               {507, "Insufficient Storage"}};

std::string_view reason_of(unsigned status) {
  for (const Reason& each : kReasons)
    if (each.status == status) return each.text;
  return "";
}

}  // namespace

std::string response_head(const Response& response, std::optional<uint64_t> size, bool closes,
                          bool is_version_1_0) {
  std::string head = fmt::format("HTTP/1.1 {} {}\r\n", response.status, reason_of(response.status));
  const auto add = [&](std::string_view name, std::string_view value) {
    head.append(name).append(": ").append(value).append("\r\n");
  };
  if (!response.type.empty()) add("Content-Type", response.type);
  for (const Header& each : response.headers) add(each.name, each.value);
  const bool has_no_body = response.status == 204 || response.status == 304;
  if (size && !has_no_body) add("Content-Length", fmt::to_string(*size));
  if (!size && !is_version_1_0) add("Transfer-Encoding", "chunked");
  add("Connection", closes ? "close" : "keep-alive");
  return head += "\r\n";
}

}  // namespace tracebraid::http
