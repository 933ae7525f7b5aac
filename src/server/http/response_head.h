// The head of a response as bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "server/http/message.h"

namespace tracebraid::http {

// Returns status line and headers. Without `size` the body is chunked, or ends with the connection
// if `is_version_1_0`.
std::string response_head(const Response& response, std::optional<uint64_t> size, bool closes,
                          bool is_version_1_0);

}  // namespace tracebraid::http
