// RpcService: what all clients of RPC share: the trace, its workspace, appended bytes.
//
// Input: requests of endpoints (endpoints.h) and connections (stream.h). Output: answers. The host
// gives the trace and opens others. Any thread may use it: one request at a time runs SQL or opens
// a trace; others wait for it, or for their Stop.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "engine/connection.h"
#include "engine/trace.h"
#include "server/rpc/appended_trace.h"
#include "server/rpc/messages.h"
#include "server/rpc/metatrace.h"

namespace tracebraid::rpc {

using StopPointer = std::shared_ptr<const Stop>;

// A trace that a client sent.
struct RpcImport {
  TraceInput input;
  ResetArgs reset;  // of the last reset
};

struct RpcHost {
  // Returns the trace that is served, or null if there is none. Waits while it is being opened; its
  // Error is that of opening.
  std::function<Result<std::shared_ptr<const Trace>>(const StopPointer& gone)> current;
  std::function<std::string()> loaded_name;  // "NAME (N MB)", or empty
  // Opens a trace and makes it the current one. The Stop ends it.
  std::function<Result<std::shared_ptr<const Trace>>(RpcImport import, const StopPointer& gone)>
      open;
  std::shared_ptr<const Engine> engine;  // opens an empty trace, if there is no other
  TraceOptions options;                  // of the empty trace
  std::shared_ptr<Spool> spool;          // of appended traces and exports
  unsigned query_timeout_s = 0;          // 0: none
  uint64_t query_memory = 0;             // bytes; 0: no limit
};

class RpcService {
 public:
  explicit RpcService(RpcHost host);

  // Holds the service for one request. Error Cancelled if the client is gone.
  using Lock = std::unique_lock<std::timed_mutex>;
  Result<Lock> lock(const StopPointer& gone);
  // Runs `work`, which needs the lock. Returns its error, or an empty text.
  template <class Work>
  std::string with_lock(const StopPointer& gone, Work work) {
    const Result<Lock> held = lock(gone);
    const Result<> done = held ? work() : tl::unexpected(held.error());
    return done ? std::string() : done.error().message;
  }

  const RpcHost& host() const { return host_; }
  Metatrace& metatrace() { return metatrace_; }
  std::string status() const;

  // The following need the lock.

  // Appends bytes to the trace that a client sends. Returns the size so far, and what failed.
  Result<int64_t> append(std::string_view bytes);
  // Opens what was appended; does nothing if nothing was.
  Result<> finish_trace(const StopPointer& gone);
  // Returns the connection for statements. Error: that of the last import, or of opening.
  Result<TraceConnection*> connection(const StopPointer& gone);
  Result<std::shared_ptr<const Trace>> trace(const StopPointer& gone);
  void restore_initial_tables() { connection_.reset(); }
  // Drops the trace. Later ones are opened with these options.
  void reset(ResetArgs args);
  Result<> register_package(const RegisterPackageArgs& args, const StopPointer& gone);

  // Bytes of incomplete messages of all connections.
  std::atomic<size_t>& pending_bytes() { return pending_bytes_; }

 private:
  RpcHost host_;
  Metatrace metatrace_;
  std::atomic<size_t> pending_bytes_{0};
  std::timed_mutex mutex_;  // guards the members below
  AppendedTrace appended_;
  ResetArgs reset_;
  bool is_empty_ = false;               // after a reset: the current trace is not served
  std::optional<Error> failure_;        // of the last import
  std::shared_ptr<const Trace> none_;   // the empty trace
  std::shared_ptr<const Trace> trace_;  // of `connection_`
  std::unique_ptr<TraceConnection> connection_;
  std::vector<SqlPackage> packages_;
};

}  // namespace tracebraid::rpc
