// The server: the engine behind HTTP, and the viewer.
//
// Input: options and an Engine of the host. Output: answers on sockets, until a signal of the host.
// Called by the commands `serve` and `open`.
#pragma once

#include "base/result.h"
#include "server/serve_options.h"

namespace tracebraid {

// Serves until host.stop_fd is readable, or the server has been idle for long enough. Errors: Usage
// (a port is taken, an address or a root is wrong), Io, NotFound if none of the files exists.
Result<> serve(const ServeOptions& options, const ServeHost& host);

}  // namespace tracebraid
