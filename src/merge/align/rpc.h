// Calls between services without ids of spans (spec alignment 3.3): request and reply are two
// causes and effects.
//
// Args name a call, as JSON-RPC, gRPC and others do; kernels trace the calls of NFS with their xid.
// The server's slice begins after the client's and ends before it.
#pragma once

#include <span>

#include "merge/align/flows.h"

namespace tracebraid::align {

// Returns the moments of calls: of each the request, from client to server, and the reply, with a
// key of its own. Calls that have ids of spans are left out. At most a million moments of a file;
// of more, every n-th by key.
FlowMoments read_rpc(std::span<const FileToLocate> files, const Trackers& trackers);

}  // namespace tracebraid::align
