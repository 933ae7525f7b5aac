// RPC of the server: the trace that it serves, and its sockets.
#pragma once

#include <memory>

#include "base/result.h"
#include "server/api/api.h"
#include "server/http/server.h"

namespace tracebraid {

// Listens as the options of `api` say. Returns the port of RPC over HTTP, or 0. Error Io.
Result<uint16_t> serve_rpc(http::Server& server, const std::shared_ptr<api::Api>& api);

}  // namespace tracebraid
