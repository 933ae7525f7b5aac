#include "server/rpc/stream.h"

#include <fmt/format.h>

#include <optional>

#include "base/boundary.h"
#include "server/rpc/exported_file.h"
#include "server/rpc/proto_writer.h"
#include "server/rpc/run_query.h"

namespace tracebraid::rpc {
namespace {

constexpr char kMessageTag = 0x0a;  // TraceProcessorRpcStream.msg

enum Field : uint32_t { kSeq = 1, kRequest = 2, kResponse = 3, kInvalidRequest = 4, kFatal = 5 };

// The methods.
enum Method : uint64_t {
  kAppendTraceData = 1,
  kFinalizeTraceData = 2,
  kQueryStreaming = 3,
  kComputeMetric = 5,
  kGetMetricDescriptors = 6,
  kRestoreInitialTables = 7,
  kEnableMetatrace = 8,
  kDisableAndReadMetatrace = 9,
  kGetStatus = 10,
  kReset = 11,
  kRegisterSqlPackage = 13,
  kSummarizeTrace = 15,
  kCreateSummarizer = 16,
  kUpdateSummarizerSpec = 17,
  kQuerySummarizer = 18,
  kDestroySummarizer = 19,
  kStatementStreaming = 20,
  kExport = 21,
};

struct MethodFields {
  uint64_t method;
  uint32_t args, result;  // fields of TraceProcessorRpc; 0: none
  uint32_t error = 0;     // field of the result; 0: none
  bool needs_args = true;
};
constexpr MethodFields kMethods[] = {
    {kAppendTraceData, 101, 201, kAppendError},
    {kFinalizeTraceData, 0, 212, kFinalizeError, false},
    {kQueryStreaming, 103, 203, 2},
    {kComputeMetric, 105, 205, kMetricError},
    {kGetMetricDescriptors, 0, 206, 0, false},
    {kRestoreInitialTables, 0, 0, 0, false},
    {kEnableMetatrace, 106, 0, 0, false},
    {kDisableAndReadMetatrace, 0, 209, kMetatraceError, false},
    {kGetStatus, 0, 210, 0, false},
    {kReset, 107, 0, 0, false},
    {kRegisterSqlPackage, 108, 211, kRegisterError},
    {kSummarizeTrace, 110, 214, kSummaryError},
    {kCreateSummarizer, 111, 215, 2},
    {kUpdateSummarizerSpec, 112, 216, 2},
    {kQuerySummarizer, 113, 217, 6},
    {kDestroySummarizer, 114, 218, 1},
    {kStatementStreaming, 115, 219, 0},
    {kExport, 116, 220, 2},
};

// The responses to one request.
class Responses final : public MessageWriter {
 public:
  Responses(const MethodFields& method, int64_t& seq, const RpcSend& send)
      : method_(method), seq_(seq), send_(send) {}

  std::string& begin() override {
    frame_.clear();
    message_ = begin_message(frame_, 1);
    append_int(frame_, kSeq, seq_++);
    append_int(frame_, kResponse, static_cast<int64_t>(method_.method));
    if (method_.result != 0) result_ = begin_message(frame_, method_.result);
    if (method_.method == kStatementStreaming) query_ = begin_message(frame_, 1);
    return frame_;
  }
  bool end() override {
    if (method_.method == kStatementStreaming) {
      end_message(frame_, query_);
      if (tail_) {
        append_int(frame_, 2, tail_->offset);
        append_int(frame_, 3, tail_->was_executed ? 1 : 0);
      }
      tail_.reset();
    }
    if (method_.result != 0) end_message(frame_, result_);
    end_message(frame_, message_);
    return is_fine_ = is_fine_ && send_(frame_);
  }
  void set_tail(StatementTail tail) override { tail_ = tail; }

  bool send(std::string_view result) {
    begin() += result;
    return end();
  }
  bool send_error(std::string_view error) {
    if (method_.method != kStatementStreaming && method_.method != kQueryStreaming)
      return send(error_message(method_.error, error));
    if (method_.method == kStatementStreaming) set_tail({});
    write_error(error, *this);
    return is_fine_;
  }
  bool is_fine() const { return is_fine_; }

 private:
  const MethodFields& method_;
  int64_t& seq_;
  const RpcSend& send_;
  std::string frame_;
  size_t message_ = 0, result_ = 0, query_ = 0;
  std::optional<StatementTail> tail_;
  bool is_fine_ = true;
};

bool send_export(RpcService& service, ExportFormat format, Responses& to, const StopPointer& gone) {
  const Result<ExportedFile> file = ExportedFile::write(service, format, gone);
  if (!file) return to.send_error(file.error().message);
  const bool is_sent = file->send([&](std::string_view bytes) {
    std::string chunk;
    append_bytes(chunk, 1, bytes);
    append_int(chunk, 3, 1);
    return to.send(chunk);
  });
  if (!to.is_fine()) return false;
  std::string last;
  if (!is_sent) append_bytes(last, 2, "cannot read the export");
  append_int(last, 3, 0);
  return to.send(last);
}

bool run_method(RpcService& service, const MethodFields& method, std::string_view args,
                Responses& to, const StopPointer& gone) {
  switch (method.method) {
    case kAppendTraceData: {
      int64_t size = 0;
      const std::string error = service.with_lock(gone, [&]() -> Result<> {
        TB_TRY_ASSIGN(size, service.append(args));
        return {};
      });
      return to.send(append_result(size, error));
    }
    case kFinalizeTraceData:
      return to.send(error_message(
          method.error, service.with_lock(gone, [&] { return service.finish_trace(gone); })));
    case kQueryStreaming:
      run_query(service, parse_query_args(args).sql, to, gone);
      return to.is_fine();
    case kStatementStreaming: {
      const QueryArgs statement = parse_statement_args(args);
      run_statement(service, statement.sql, statement.start_offset, to, gone);
      return to.is_fine();
    }
    case kRestoreInitialTables:
      service.with_lock(gone, [&]() -> Result<> {
        service.restore_initial_tables();
        return {};
      });
      return to.send({});
    case kEnableMetatrace:
      service.metatrace().enable();
      return to.send({});
    case kDisableAndReadMetatrace:
      return to.send(metatrace_result(service));
    case kGetStatus:
      return to.send(service.status());
    case kReset:
      service.with_lock(gone, [&]() -> Result<> {
        service.reset(parse_reset_args(args));
        return {};
      });
      return to.send({});
    case kRegisterSqlPackage:
      return to.send(error_message(method.error, service.with_lock(gone, [&] {
        return service.register_package(parse_register_package_args(args), gone);
      })));
    case kExport:
      return send_export(service, parse_export_args(args), to, gone);
    case kGetMetricDescriptors:
      return to.send({});
    default:
      return to.send_error(kNoMetrics);
  }
}

}  // namespace

std::string metatrace_result(RpcService& service) {
  const std::optional<std::string> trace = service.metatrace().finish();
  if (!trace) return error_message(kMetatraceError, "the metatrace is not enabled");
  std::string message;
  append_bytes(message, 1, *trace);
  return message;
}

bool RpcStream::fail(std::string_view error, const RpcSend& send) {
  has_failed_ = true;
  std::string frame;
  const size_t begin = begin_message(frame, 1);
  append_int(frame, kSeq, response_seq_++);
  append_bytes(frame, kFatal, error);
  end_message(frame, begin);
  send(frame);
  return false;
}

bool RpcStream::handle(std::string_view message, const RpcSend& send, const StopPointer& gone) {
  int64_t seq = 0;
  uint64_t number = 0;
  for (proto::Message field(message); field.next();) {
    if (field.number() == kSeq) seq = static_cast<int64_t>(varint_of(field));
    if (field.number() == kRequest) number = varint_of(field);
  }
  if (seq != 0 && request_seq_ != 0 && seq != request_seq_ + 1)
    return fail(fmt::format("RPC request out of order. Expected {}, got {} (ERR:rpc_seq)",
                            request_seq_ + 1, seq),
                send);
  request_seq_ = seq;
  const MethodFields* method = nullptr;
  for (const MethodFields& each : kMethods)
    if (each.method == number) method = &each;
  if (method == nullptr) {
    std::string frame;
    const size_t begin = begin_message(frame, 1);
    append_int(frame, kSeq, response_seq_++);
    append_int(frame, kInvalidRequest, static_cast<int64_t>(number));
    end_message(frame, begin);
    return send(frame);
  }
  std::optional<std::string_view> args;
  for (proto::Message field(message); field.next();)
    if (field.number() == method->args && field.wire() == proto::Wire::Bytes) args = field.bytes();
  Responses to(*method, response_seq_, send);
  if (!args && method->needs_args) return to.send_error(kFieldNotSet);
  return run_method(service_, *method, args.value_or(std::string_view()), to, gone);
}

bool RpcStream::take_messages(const RpcSend& send, const StopPointer& gone) {
  constexpr std::string_view kFraming = "RPC framing error";
  constexpr size_t kLongestVarint = 10;
  std::string_view rest = pending_;
  while (!rest.empty()) {
    if (rest[0] != kMessageTag) return fail(kFraming, send);
    const char* at = rest.data() + 1;
    const char* const end = rest.data() + rest.size();
    uint64_t size = 0;
    if (!proto::read_varint(at, end, size)) {
      if (rest.size() > kLongestVarint) return fail(kFraming, send);
      break;
    }
    if (size > kMostMessageBytes) return fail(kFraming, send);
    if (size > static_cast<size_t>(end - at)) break;
    if (!handle({at, size}, send, gone)) return false;
    rest = {at + size, end};
  }
  drop_pending(pending_.size() - rest.size());
  return true;
}

RpcStream::~RpcStream() { drop_pending(pending_.size()); }

void RpcStream::drop_pending(size_t bytes) {
  pending_.erase(0, bytes);
  if (pending_.empty()) std::string().swap(pending_);
  service_.pending_bytes() -= bytes;
}

bool RpcStream::feed(std::string_view bytes, const RpcSend& send, const StopPointer& gone) {
  if (has_failed_) return false;
  const Result<bool> is_fine = at_boundary([&]() -> Result<bool> {
    if (service_.pending_bytes() + bytes.size() > kMostPendingBytes)
      return fail("the server receives too much at once; try again later", send);
    pending_ += bytes;
    service_.pending_bytes() += bytes.size();
    return take_messages(send, gone);
  });
  return is_fine && *is_fine;
}

}  // namespace tracebraid::rpc
