// The HTTP endpoints of RPC (spec viewer 4.2), without sockets.
//
// Input: path and body of a request. Output: status, type and body. Called by the site of RPC
// (site.h), which checks Host, Origin and size.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "server/rpc/service.h"
#include "server/rpc/stream.h"

namespace tracebraid::rpc {

struct RpcAnswer {
  unsigned status = 200;
  std::string_view content_type = "application/x-protobuf";
  bool closes = false;    // the connection, afterwards
  std::string body = {};  // the whole body, unless `stream` is set
  // Sends the body in chunks. Returns false if it is incomplete: the connection must end without a
  // last chunk. Borrows the body of the request.
  std::function<bool(const RpcSend& send)> stream = {};
};

// Answers a request. Blocks until the head of the answer is known, and ends soon after a request of
// `gone`, as the stream does.
RpcAnswer answer(RpcService& service, std::string_view path, std::string_view body,
                 const StopPointer& gone);

bool is_endpoint(std::string_view path);

}  // namespace tracebraid::rpc
