// The files of the viewer inside the program. Without a viewer the list is empty.
#pragma once

#include <span>
#include <string_view>

namespace tracebraid::http {

struct Asset {
  std::string_view path;  // "/assets/index.1a2b3c.js"; the page itself is "/"
  std::string_view type;  // "text/javascript; charset=utf-8"
  std::string_view etag;  // strong, with its quotes: "\"1a2b3c\""
  // The bytes; empty: not available in this encoding. A file has `identity` or `gzip`.
  std::string_view identity, gzip, br;
  bool immutable = false;  // its name changes with its content
};

// The page "/" has the placeholder __CSP_NONCE__, which is replaced at each load.
std::span<const Asset> assets();

}  // namespace tracebraid::http
