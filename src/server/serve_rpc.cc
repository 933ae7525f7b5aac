#include "server/serve_rpc.h"

#include <fmt/format.h>

#include <mutex>
#include <thread>
#include <utility>

#include "server/api/opening.h"
#include "server/rpc/site.h"
#include "server/work/cancel_when_gone.h"

namespace tracebraid {
namespace {

using api::Api;
using api::OpenTrace;
using rpc::StopPointer;

// The trace that RPC serves: the one that a client sent last, or else the first one of the server.
class ServedTrace {
 public:
  explicit ServedTrace(std::shared_ptr<Api> api) : api_(std::move(api)) {}

  Result<std::shared_ptr<const Trace>> wait(const StopPointer& gone) const;
  std::string name() const;
  Result<std::shared_ptr<const Trace>> open(rpc::RpcImport import, const StopPointer& gone);

 private:
  std::shared_ptr<OpenTrace> find() const;

  const std::shared_ptr<Api> api_;
  mutable std::mutex mutex_;  // guards sent_
  uint64_t sent_ = 0;         // id of the trace that a client sent
};

std::shared_ptr<OpenTrace> ServedTrace::find() const {
  const std::scoped_lock lock(mutex_);
  if (std::shared_ptr<OpenTrace> sent = api_->traces.find(sent_)) return sent;
  const std::vector<std::shared_ptr<OpenTrace>> all = api_->traces.all();
  return all.empty() ? nullptr : all.front();
}

Result<std::shared_ptr<const Trace>> ServedTrace::wait(const StopPointer& gone) const {
  const std::shared_ptr<OpenTrace> trace = find();
  if (trace == nullptr) return std::shared_ptr<const Trace>();
  if (!has_ended(trace->job->state())) {
    const TaskPool::Blocked blocked;
    while (!has_ended(trace->job->state())) {
      if (gone != nullptr && gone->requested()) return fail(ErrorCode::Cancelled, "interrupted");
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  if (const std::optional<Error> error = trace->job->error()) return tl::unexpected(*error);
  return trace->find();
}

std::string ServedTrace::name() const {
  const std::shared_ptr<OpenTrace> trace = find();
  if (trace == nullptr || trace->job->state() != api::RunState::Done) return {};
  return fmt::format("{} ({} MB)", trace->name, trace->bytes >> 20);
}

// Opens on this thread, which holds a place for SQL: a job of its own could wait for that place.
Result<std::shared_ptr<const Trace>> ServedTrace::open(rpc::RpcImport import,
                                                       const StopPointer& gone) {
  api::OpenRequest request;
  request.options = api_->options.trace;
  if (import.reset.ftrace_in_raw) request.options.no_ftrace_raw = !*import.reset.ftrace_in_raw;
  for (std::string& set : import.reset.descriptor_sets)
    request.options.descriptor_sets.push_back(std::move(set));
  request.inputs.push_back({import.input.name, {}, {}});
  if (import.input.bytes) request.bytes = import.input.bytes->view.size();
  request.buffers.push_back(std::move(import.input));
  std::shared_ptr<OpenTrace> trace;
  {
    const std::scoped_lock lock(mutex_);
    api_->traces.remove(sent_);  // the earlier trace of RPC
    TB_TRY_ASSIGN(trace, list_trace(*api_, request));
    sent_ = trace->id;
  }
  const CancelWhenGone cancel(trace->job->progress, gone);
  TB_TRY(open_listed(*api_, *trace, request));
  return trace->find();
}

// The service keeps the API.
std::shared_ptr<rpc::RpcService> make_service(const std::shared_ptr<Api>& api) {
  const auto served = std::make_shared<ServedTrace>(api);
  return std::make_shared<rpc::RpcService>(rpc::RpcHost{
      .current = [served](const StopPointer& gone) { return served->wait(gone); },
      .loaded_name = [served] { return served->name(); },
      .open = [served](rpc::RpcImport import,
                       const StopPointer& gone) { return served->open(std::move(import), gone); },
      .engine = api->host.engine,
      .options = api->options.trace,
      .spool = api->spool,
      .query_timeout_s = api->options.query_timeout_s,
      .query_memory = api->options.query_memory});
}

}  // namespace

Result<uint16_t> serve_rpc(http::Server& server, const std::shared_ptr<Api>& api) {
  const ServeOptions& options = api->options;
  if (!options.has_rpc && options.rpc_socket.empty()) return uint16_t{0};
  const std::shared_ptr<rpc::RpcService> service = make_service(api);
  if (!options.rpc_socket.empty())
    TB_TRY(server.listen_unix(options.rpc_socket, rpc_stream_handler(service, api->pool)));
  if (!options.has_rpc) return uint16_t{0};
  const auto site = std::make_shared<rpc::RpcSite>(service, api->pool, options.rpc_origins);
  TB_TRY_ASSIGN(const uint16_t port,
                server.listen("127.0.0.1", static_cast<uint16_t>(options.rpc_port), site));
  // A system without IPv6 has no ::1.
  const Result<uint16_t> ignored = server.listen("::1", port, site);
  return port;
}

}  // namespace tracebraid
