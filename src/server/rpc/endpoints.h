// The HTTP endpoints of RPC (spec viewer 4.2), without sockets.
//
// Input: path and body of a request. Output: status, type and body, in parts. Called by the site of
// RPC; checks of Host, Origin and size are the site's.
#pragma once

#include <functional>
#include <string_view>

#include "server/rpc/service.h"

namespace tracebraid::rpc {

struct RpcHead {
  unsigned status = 200;
  std::string_view content_type = "application/x-protobuf";
  bool closes = false;  // the connection, afterwards
};

struct RpcResponse {
  std::function<void(const RpcHead& head)> begin;     // called once, first
  std::function<bool(std::string_view bytes)> write;  // may block; false: the client is gone
};

// Returns whether the length of the answer is not known when it begins.
bool is_streamed(std::string_view path);

// Answers a request. Blocks; everything but `write` ends soon after a request of `gone`. Returns
// false if the answer is incomplete: the connection must end without a last chunk.
bool answer(RpcService& service, std::string_view path, std::string_view body,
            const RpcResponse& to, const StopPointer& gone);

}  // namespace tracebraid::rpc
