// The limits of the server, which /status and the WebSocket tell clients.
#pragma once

#include <string>

namespace tracebraid::api {

struct Api;

std::string limits_json(const Api& api);

}  // namespace tracebraid::api
