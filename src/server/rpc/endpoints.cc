#include "server/rpc/endpoints.h"

#include "base/boundary.h"
#include "server/rpc/exported_file.h"
#include "server/rpc/run_query.h"
#include "server/rpc/stream.h"

namespace tracebraid::rpc {
namespace {

struct Call {
  RpcService& service;
  std::string_view body;
  const RpcResponse& to;
  const StopPointer& gone;

  bool respond(std::string_view message) const {
    to.begin({});
    return message.empty() || to.write(message);
  }
  bool respond_text(unsigned status, std::string_view text) const {
    to.begin({status, "text/plain; charset=utf-8", status >= 400});
    return to.write(text);
  }
  // Runs `work`, which needs the service. Returns its error, or an empty text.
  template <class Work>
  std::string with_service(Work work) const {
    const std::optional<RpcService::Lock> lock = service.lock(gone);
    if (!lock) return "the client is gone";
    const Result<> done = work();
    return done ? std::string() : done.error().message;
  }
};

// Messages behind each other.
class Body final : public MessageWriter {
 public:
  explicit Body(const RpcResponse& to) : to_(to) {}
  std::string& begin() override {
    message_.clear();
    return message_;
  }
  uint64_t bytes_before() const override { return bytes_; }
  bool end() override {
    bytes_ += message_.size();
    return is_fine_ = is_fine_ && to_.write(message_);
  }
  bool is_fine() const { return is_fine_; }

 private:
  const RpcResponse& to_;
  std::string message_;
  uint64_t bytes_ = 0;
  bool is_fine_ = true;
};

bool about(const Call& call) {
  return call.respond_text(200,
                           "This is the RPC of tracebraid, for the Python package perfetto and "
                           "other programs. See docs/rpc.md.\n");
}

bool status(const Call& call) { return call.respond(call.service.status()); }

bool parse(const Call& call) {
  int64_t size = 0;
  const std::string error = call.with_service([&]() -> Result<> {
    TB_TRY_ASSIGN(size, call.service.append(call.body));
    return {};
  });
  return call.respond(append_result(size, error));
}

bool notify_eof(const Call& call) {
  call.with_service([&] { return call.service.finish_trace(call.gone); });
  return call.respond({});  // later queries have the error
}

bool query(const Call& call) {
  call.to.begin({});
  Body body(call.to);
  run_query(call.service, parse_query_args(call.body).sql, body, call.gone);
  return body.is_fine();
}

bool restore(const Call& call) {
  call.with_service([&]() -> Result<> {
    call.service.restore_initial_tables();
    return {};
  });
  return call.respond({});
}

bool compute_metric(const Call& call) {
  return call.respond(error_message(kMetricError, kNoMetrics));
}

bool trace_summary(const Call& call) {
  return call.respond(error_message(kSummaryError, kNoMetrics));
}

bool enable_metatrace(const Call& call) {
  call.service.metatrace().enable();
  return call.respond({});
}

bool read_metatrace(const Call& call) { return call.respond(metatrace_result(call.service)); }

bool export_trace(const Call& call) {
  const Result<ExportedFile> file =
      ExportedFile::write(call.service, parse_export_args(call.body), call.gone);
  if (!file && file.error().code == ErrorCode::Unsupported)
    return call.respond_text(400, file.error().message + "\n");
  call.to.begin({});
  return file && file->send(call.to.write);
}

bool rpc(const Call& call) {
  call.to.begin({});
  RpcStream stream(call.service);
  return stream.feed(call.body, call.to.write, call.gone) || stream.has_failed();
}

struct Endpoint {
  std::string_view path;
  bool (*answer)(const Call& call);
  bool is_streamed = false;
};
constexpr Endpoint kEndpoints[] = {
    {"/", about},
    {"/status", status},
    {"/parse", parse},
    {"/notify_eof", notify_eof},
    {"/query", query, true},
    {"/restore_initial_tables", restore},
    {"/compute_metric", compute_metric},
    {"/trace_summary", trace_summary},
    {"/enable_metatrace", enable_metatrace},
    {"/disable_and_read_metatrace", read_metatrace},
    {"/export", export_trace, true},
    {"/rpc", rpc, true},
};

const Endpoint* find(std::string_view path) {
  for (const Endpoint& each : kEndpoints)
    if (each.path == path) return &each;
  return nullptr;
}

}  // namespace

bool is_streamed(std::string_view path) {
  const Endpoint* endpoint = find(path);
  return endpoint != nullptr && endpoint->is_streamed;
}

bool answer(RpcService& service, std::string_view path, std::string_view body,
            const RpcResponse& to, const StopPointer& gone) {
  const Result<bool> is_complete = at_boundary([&]() -> Result<bool> {
    const Call call{service, body, to, gone};
    const Endpoint* endpoint = find(path);
    return endpoint != nullptr ? endpoint->answer(call)
                               : call.respond_text(404, "there is no such endpoint\n");
  });
  return is_complete && *is_complete;
}

}  // namespace tracebraid::rpc
