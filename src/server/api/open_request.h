// The body of requests that name inputs: POST /traces and POST /drafts.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "server/api/opening.h"
#include "server/http/message.h"

namespace tracebraid::api {

// JSON Schema of the body.
inline constexpr std::string_view kOpenBody =
    R"({"type":"object","required":["inputs"],"properties":{"inputs":{"type":"array","minItems":1,"items":{"type":"object","properties":{"path":{"type":"string"},"root":{"type":"string"},"upload":{"type":"string"}}}},"manifest":{"type":"object"},"options":{"type":"object","additionalProperties":{"type":"string"}}}})";

// Reads the body. Returns an Error of code Unsupported for an input outside the roots.
Result<OpenRequest> read_open_request(const Api& api, const std::string& body);

// Returns the answer to a request whose inputs were refused.
http::Response refused_inputs(const Error& error);

}  // namespace tracebraid::api
