// Downloads: files of the server as answers, and names for them.
#pragma once

#include <string>
#include <string_view>

#include "server/http/message.h"

namespace tracebraid::api {

// Returns the value of Content-Disposition for a download of this name.
std::string disposition(std::string_view name);

// Streams a file.
http::Response send_file(const std::string& path, std::string_view name);

}  // namespace tracebraid::api
