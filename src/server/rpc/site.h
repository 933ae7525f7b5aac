// RpcSite: the socket of RPC, which speaks HTTP and WebSockets, and the handler of the UNIX socket
// (spec viewer 4.1, 4.2).
//
// Input: requests and bytes of the network thread. Output: answers, made by workers. Called by
// server/serve_rpc.cc.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "server/http/message.h"
#include "server/rpc/service.h"
#include "server/work/task_pool.h"

namespace tracebraid::rpc {

class RpcSite final : public http::Site {
 public:
  // `origins` are those of pages that may use RPC. The pool must outlive the site.
  RpcSite(std::shared_ptr<RpcService> service, TaskPool& pool, std::vector<std::string> origins)
      : service_(std::move(service)), pool_(pool), origins_(std::move(origins)) {}

  http::Plan plan(const http::Request& request) override;
  http::Response bad_request(unsigned status, std::string_view reason) override;

 private:
  const std::shared_ptr<RpcService> service_;
  TaskPool& pool_;
  const std::vector<std::string> origins_;
};

// Returns what handles connections that are streams of TraceProcessorRpc.
http::MakeSocketHandler rpc_stream_handler(std::shared_ptr<RpcService> service, TaskPool& pool);

}  // namespace tracebraid::rpc
