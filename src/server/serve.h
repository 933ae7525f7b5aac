// The server: the engine behind HTTP, and the viewer.
//
// Input: options and an Engine of the host. Output: answers on sockets, until a signal of the host.
// Called by the commands `serve` and `open`.
#pragma once

#include <string>

#include "base/result.h"
#include "server/serve_options.h"

namespace tracebraid {

// Serves until host.stop_fd is readable, or the server has been idle for long enough. Errors: Usage
// (not an address), Io (a port is taken, the spool cannot be made), NotFound if none of the files
// exists, or a root does not.
Result<> serve(const ServeOptions& options, const ServeHost& host);

// Returns docs/api.md.
std::string api_page();

}  // namespace tracebraid
