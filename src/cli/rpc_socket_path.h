// Where clients of RPC look for a UNIX socket.
#pragma once

#include <string>

#include "base/result.h"

namespace tracebraid {

// Returns the path of --rpc-socket: a path with a slash or the ending ".sock" itself, or that of a
// session's name, in a folder that this makes with mode 0700. Errors: Usage, Io.
Result<std::string> rpc_socket_path(const std::string& name_or_path);

}  // namespace tracebraid
