#include "server/rpc/endpoints.h"

#include <memory>
#include <utility>

#include "base/boundary.h"
#include "server/rpc/exported_file.h"
#include "server/rpc/run_query.h"

namespace tracebraid::rpc {
namespace {

constexpr std::string_view kText = "text/plain; charset=utf-8";

struct Call {
  RpcService& service;
  std::string_view body;
  const StopPointer& gone;
};

RpcAnswer message(std::string bytes) { return {.body = std::move(bytes)}; }

RpcAnswer text(unsigned status, std::string bytes) {
  return {
      .status = status, .content_type = kText, .closes = status >= 400, .body = std::move(bytes)};
}

// Messages behind each other.
class Body final : public MessageWriter {
 public:
  explicit Body(const RpcSend& to) : to_(to) {}
  std::string& begin() override {
    message_.clear();
    return message_;
  }
  uint64_t bytes_before() const override { return bytes_; }
  bool end() override {
    bytes_ += message_.size();
    return is_fine_ = is_fine_ && to_(message_);
  }
  bool is_fine() const { return is_fine_; }

 private:
  const RpcSend& to_;
  std::string message_;
  uint64_t bytes_ = 0;
  bool is_fine_ = true;
};

RpcAnswer about(const Call& /*call*/) {
  return text(200,
              "This is the RPC of tracebraid, for the Python package perfetto and other programs. "
              "See docs/server.md.\n");
}

RpcAnswer status(const Call& call) { return message(call.service.status()); }

RpcAnswer parse(const Call& call) {
  int64_t size = 0;
  const std::string error = call.service.with_lock(call.gone, [&]() -> Result<> {
    TB_TRY_ASSIGN(size, call.service.append(call.body));
    return {};
  });
  return message(append_result(size, error));
}

RpcAnswer notify_eof(const Call& call) {
  call.service.with_lock(call.gone, [&] { return call.service.finish_trace(call.gone); });
  return message({});  // later queries have the error
}

RpcAnswer query(const Call& call) {
  RpcAnswer answer;
  answer.stream = [&service = call.service, args = call.body, gone = call.gone](const RpcSend& to) {
    Body body(to);
    run_query(service, parse_query_args(args).sql, body, gone);
    return body.is_fine();
  };
  return answer;
}

RpcAnswer restore(const Call& call) {
  call.service.with_lock(call.gone, [&]() -> Result<> {
    call.service.restore_initial_tables();
    return {};
  });
  return message({});
}

RpcAnswer compute_metric(const Call& /*call*/) {
  return message(error_message(kMetricError, kNoMetrics));
}

RpcAnswer trace_summary(const Call& /*call*/) {
  return message(error_message(kSummaryError, kNoMetrics));
}

RpcAnswer enable_metatrace(const Call& call) {
  call.service.metatrace().enable();
  return message({});
}

RpcAnswer read_metatrace(const Call& call) { return message(metatrace_result(call.service)); }

RpcAnswer export_trace(const Call& call) {
  Result<ExportedFile> file =
      ExportedFile::write(call.service, parse_export_args(call.body), call.gone);
  if (!file && file.error().code == ErrorCode::Unsupported)
    return text(400, file.error().message + "\n");
  RpcAnswer answer;
  if (!file) {
    answer.stream = [](const RpcSend&) { return false; };
    return answer;
  }
  answer.stream = [file = std::make_shared<const ExportedFile>(*std::move(file))](
                      const RpcSend& to) { return file->send(to); };
  return answer;
}

RpcAnswer rpc(const Call& call) {
  RpcAnswer answer;
  answer.stream = [&service = call.service, body = call.body, gone = call.gone](const RpcSend& to) {
    RpcStream stream(service);
    return stream.feed(body, to, gone) || stream.has_failed();
  };
  return answer;
}

struct Endpoint {
  std::string_view path;
  RpcAnswer (*answer)(const Call& call);
};
constexpr Endpoint kEndpoints[] = {
    {"/", about},
    {"/status", status},
    {"/parse", parse},
    {"/notify_eof", notify_eof},
    {"/query", query},
    {"/restore_initial_tables", restore},
    {"/compute_metric", compute_metric},
    {"/trace_summary", trace_summary},
    {"/enable_metatrace", enable_metatrace},
    {"/disable_and_read_metatrace", read_metatrace},
    {"/export", export_trace},
    {"/rpc", rpc},
};

const Endpoint* find(std::string_view path) {
  for (const Endpoint& each : kEndpoints)
    if (each.path == path) return &each;
  return nullptr;
}

// Makes a broken invariant an incomplete body.
std::function<bool(const RpcSend&)> guarded(std::function<bool(const RpcSend&)> stream) {
  return [stream = std::move(stream)](const RpcSend& to) {
    const Result<bool> is_whole = at_boundary([&]() -> Result<bool> { return stream(to); });
    return is_whole && *is_whole;
  };
}

}  // namespace

bool is_endpoint(std::string_view path) { return find(path) != nullptr; }

RpcAnswer answer(RpcService& service, std::string_view path, std::string_view body,
                 const StopPointer& gone) {
  const Endpoint* endpoint = find(path);
  if (endpoint == nullptr) return text(404, "there is no such endpoint\n");
  Result<RpcAnswer> made = at_boundary(
      [&]() -> Result<RpcAnswer> { return endpoint->answer(Call{service, body, gone}); });
  if (!made) return text(500, made.error().message + "\n");
  if (made->stream) made->stream = guarded(std::move(made->stream));
  return *std::move(made);
}

}  // namespace tracebraid::rpc
