// The viewer's page and files, with the headers that protect the page (spec viewer 2.5, 11.4).
#pragma once

#include <optional>

#include "server/http/message.h"

namespace tracebraid::api {

// Returns the answer with the headers that every answer has.
http::Response with_common_headers(http::Response response);

// Returns the answer to GET and HEAD of a file of the viewer; nothing if there is no such file.
std::optional<http::Response> viewer_file(const http::Request& request, std::string_view path);

}  // namespace tracebraid::api
