#include "server/api/viewer_files.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <new>
#include <string>

#include "server/api/access.h"
#include "server/http/assets.h"

namespace tracebraid::api {
namespace {

constexpr std::string_view kNoncePlace = "__CSP_NONCE__";
constexpr std::string_view kNoViewer =
    "This build of tracebraid has no viewer, because Node.js was missing when it was built.\n"
    "The API is at /api/v1; /api/openapi.json describes it.\n";

std::string policy(std::string_view nonce) {
  return fmt::format(
      "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{}'; img-src 'self' data: "
      "blob:; connect-src 'self'; worker-src 'self'; font-src 'self'; base-uri 'none'; form-action "
      "'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
      nonce);
}

bool accepts(const http::Request& request, std::string_view coding) {
  std::string_view rest = request.header("accept-encoding");
  while (!rest.empty()) {
    const size_t end = rest.find(',');
    std::string_view each = rest.substr(0, end);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    while (each.starts_with(' ')) each.remove_prefix(1);
    if (!each.starts_with(coding)) continue;
    each.remove_prefix(coding.size());
    if (each.empty() || each[0] == ' ') return true;
    if (each[0] == ';') return !each.ends_with("q=0") && !each.ends_with("q=0.0");
  }
  return false;
}

// Unpacks a file for the few clients that accept no encoding, so that the program needs no second
// copy. Requires: the file has less than 4 GiB, and a machine that stores the lowest byte first.
std::string unpacked(std::string_view gzip) {
  uint32_t size = 0;
  std::memcpy(&size, gzip.data() + gzip.size() - sizeof size, sizeof size);
  std::string bytes(size, '\0');
  z_stream stream{};
  constexpr int kGzip = 15 + 16;
  if (inflateInit2(&stream, kGzip) != Z_OK) throw std::bad_alloc();
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(gzip.data()));
  stream.avail_in = static_cast<uInt>(gzip.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = size;
  inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  return bytes;
}

// Sends the page with a new nonce. Its ETag is that of the page without the nonce, so an unchanged
// page keeps the nonce, and the policy, of the answer that the browser stored.
http::Response page(const http::Request& request, const http::Asset& asset) {
  if (request.header("if-none-match") == asset.etag)
    return {.status = 304,
            .headers = {{"ETag", std::string(asset.etag)}, {"Cache-Control", "no-cache"}}};
  const Result<std::string> token = random_token();
  if (!token) return {.status = 500, .type = "text/plain", .body = token.error().message};
  const std::string_view nonce = std::string_view(*token).substr(0, 32);
  http::Response response{.type = std::string(asset.type),
                          .headers = {{"ETag", std::string(asset.etag)},
                                      {"Cache-Control", "no-cache"},
                                      {"Content-Security-Policy", policy(nonce)}},
                          .body = std::string(asset.identity)};
  for (size_t at = 0; (at = response.body.find(kNoncePlace, at)) != std::string::npos;)
    response.body.replace(at, kNoncePlace.size(), nonce);
  return response;
}

}  // namespace

http::Response with_common_headers(http::Response response) {
  const auto add = [&](std::string_view name, std::string_view value) {
    for (const http::Header& each : response.headers)
      if (each.name == name) return;
    response.headers.push_back({std::string(name), std::string(value)});
  };
  add("Cache-Control", "no-store");
  add("X-Content-Type-Options", "nosniff");
  add("Referrer-Policy", "no-referrer");
  add("Cross-Origin-Opener-Policy", "same-origin");
  add("Cross-Origin-Resource-Policy", "same-origin");
  if (response.status != 304) add("Content-Security-Policy", policy("none"));
  return response;
}

std::optional<http::Response> viewer_file(const http::Request& request, std::string_view path) {
  if (http::assets().empty() && path == "/")
    return http::Response{.type = "text/plain; charset=utf-8", .static_body = kNoViewer};
  for (const http::Asset& asset : http::assets()) {
    if (asset.path != path) continue;
    if (path == "/") return page(request, asset);
    http::Response response{
        .type = std::string(asset.type),
        .headers = {{"ETag", std::string(asset.etag)},
                    {"Vary", "Accept-Encoding"},
                    {"Cache-Control",
                     asset.immutable ? "public, max-age=31536000, immutable" : "no-cache"}}};
    if (request.header("if-none-match") == asset.etag) {
      response.status = 304;
      response.type.clear();
      return response;
    }
    for (const auto& [coding, bytes] : {std::pair("br", asset.br), std::pair("gzip", asset.gzip)}) {
      if (bytes.empty() || !accepts(request, coding)) continue;
      response.headers.push_back({"Content-Encoding", coding});
      response.static_body = bytes;
      return response;
    }
    if (asset.identity.empty() && !asset.gzip.empty())
      response.body = unpacked(asset.gzip);
    else
      response.static_body = asset.identity;
    return response;
  }
  return std::nullopt;
}

}  // namespace tracebraid::api
