// RpcStream: one connection of RPC, as a stream of TraceProcessorRpc (spec viewer 4.3, 4.4).
//
// Input: bytes, cut in any way. Output: framed responses. Called by the sockets and by /rpc.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "server/rpc/service.h"

namespace tracebraid::rpc {

// Receives bytes of responses; may block. False: the client is gone.
using RpcSend = std::function<bool(std::string_view bytes)>;

// Used by one thread at a time.
class RpcStream {
 public:
  static constexpr size_t kMostMessageBytes = size_t{64} << 20;

  // Of all connections together, while messages are incomplete.
  static constexpr size_t kMostPendingBytes = size_t{256} << 20;

  explicit RpcStream(RpcService& service) : service_(service) {}
  ~RpcStream();
  RpcStream(const RpcStream&) = delete;
  RpcStream& operator=(const RpcStream&) = delete;

  // Takes the next bytes, and answers the messages that they complete. Returns false if the
  // connection must close.
  bool feed(std::string_view bytes, const RpcSend& send, const StopPointer& gone);
  // Returns whether a fatal error of the client was answered.
  bool has_failed() const { return has_failed_; }

 private:
  bool take_messages(const RpcSend& send, const StopPointer& gone);
  bool handle(std::string_view message, const RpcSend& send, const StopPointer& gone);
  void drop_pending(size_t bytes);
  bool fail(std::string_view error, const RpcSend& send);

  RpcService& service_;
  std::string pending_;  // incomplete message
  int64_t request_seq_ = 0, response_seq_ = 0;
  bool has_failed_ = false;
};

// Returns DisableAndReadMetatraceResult.
std::string metatrace_result(RpcService& service);

}  // namespace tracebraid::rpc
