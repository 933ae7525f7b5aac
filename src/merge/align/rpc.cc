#include "merge/align/rpc.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "merge/align/call_args.h"
#include "merge/align/global_id.h"
#include "merge/align/spans.h"

namespace tracebraid::align {
namespace {

constexpr size_t kMostRpcMoments = 1 << 20;  // of a file

enum RpcField : uint8_t {
  kRpcId,
  kRpcKind,
  kRpcSystem,
  kRpcService,
  kRpcMethod,
  kRpcSpan,
  kRpcXid,
  kRpcFields
};
constexpr ArgName kRpcNames[] = {
    {"rpcid", kRpcId},
    {"rpcrequestid", kRpcId},
    {"rpcjsonrpcrequestid", kRpcId},
    {"jsonrpcrequestid", kRpcId},
    {"requestid", kRpcId},
    {"xrequestid", kRpcId},
    {"callid", kRpcId},
    {"spankind", kRpcKind},
    {"kind", kRpcKind},
    {"rpcsystem", kRpcSystem},
    {"rpcservice", kRpcService},
    {"rpcmethod", kRpcMethod},
    {"spanid", kRpcSpan},
    {"traceparent", kRpcSpan},
    {"xid", kRpcXid},
};

// The events of the kernel's RPC, as client and as server.
struct KernelCall {
  std::string_view name;
  bool is_request;
  FlowMoment::Role role;
};
constexpr KernelCall kKernelCalls[] = {
    {"xprt_transmit", true, FlowMoment::Role::Start},
    {"svc_process", true, FlowMoment::Role::End},
    {"svc_send", false, FlowMoment::Role::Start},
    {"xprt_lookup_rqst", false, FlowMoment::Role::End},
};

class RpcReader {
 public:
  RpcReader(const FileToLocate& file, std::span<const BatchTrackers> batches, size_t first,
            FlowMoments& all)
      : batches_(batches), first_(first), all_(all), recordings_(file.file, all.recordings) {}

  void read() {
    const size_t before = all_.moments.size();
    for (size_t i = 0; i < batches_.size(); ++i) read_batch(first_ + i, batches_[i]);
    keep_some(before, kMostRpcMoments, [](const FlowMoment& m) { return m.key; }, all_.moments);
  }

 private:
  using Role = FlowMoment::Role;

  void read_batch(size_t index, const BatchTrackers& batch) {
    batch_ = batch.batch;
    args_.begin(*batch_);
    const bool has_calls = args_.has(kRpcId) && args_.has(kRpcKind);
    if (!has_calls && !args_.has(kRpcXid)) return;
    recordings_.begin(index, batch);
    for (const Stream& stream : batch_->streams) {
      if (has_calls)
        for_each_slice(*batch_, stream, [&](const Event& event, int64_t begin, int64_t end) {
          read_slice(event, begin, end);
        });
      if (args_.has(kRpcXid))
        for (const Event& event : stream.events) read_kernel_event(event);
    }
  }

  void read_slice(const Event& event, int64_t begin, int64_t end) {
    using Kind = ServiceSpan::Kind;
    args_.read(event);
    if (!args_.found(kRpcId) || args_.found(kRpcSpan)) return;
    const std::string_view text = args_.text(kRpcKind);
    const Kind kind =
        text.empty() ? span_kind(args_.number(kRpcKind).value_or(0)) : span_kind(text);
    if (kind != Kind::Client && kind != Kind::Server) return;
    FlowMoment moment{.id = args_.hash(kRpcId), .is_global = is_global_id()};
    const uint64_t system = args_.hash(kRpcSystem), service = args_.hash(kRpcService);
    // Numbers need a scope.
    if (moment.id == 0 || (!moment.is_global && system == 0 && service == 0)) return;
    moment.key = mix(mix(mix(mix(1, system), service), args_.hash(kRpcMethod)), moment.id);
    if (const auto number = args_.number(kRpcId)) moment.id = static_cast<uint64_t>(*number);
    const bool is_client = kind == Kind::Client;
    add(event.clock, moment, true, is_client ? Role::Start : Role::End, begin);
    add(event.clock, moment, false, is_client ? Role::End : Role::Start, end);
  }

  // Whether no two callers choose the id by chance: a UUID, or 64 random bits.
  bool is_global_id() const {
    if (is_global_text(args_.text(kRpcId))) return true;
    const auto number = args_.number(kRpcId);
    return number && is_evidently_global(static_cast<uint64_t>(*number));
  }

  void read_kernel_event(const Event& event) {
    if (event.what() != EventKind::FtraceEvent && event.what() != EventKind::FtraceRow) return;
    const auto call =
        std::ranges::find(kKernelCalls, batch_->strings.get(event.name), &KernelCall::name);
    if (call == std::end(kKernelCalls)) return;
    args_.read(event);
    const auto xid = args_.number(kRpcXid), at = reading_ns(*batch_, event);
    if (!xid || !at) return;
    const auto id = static_cast<uint64_t>(*xid);
    add(event.clock, {.key = mix(2, id), .id = id}, call->is_request, call->role, *at);
  }

  void add(uint32_t clock, FlowMoment moment, bool is_request, Role role, int64_t at) {
    moment.key = mix(moment.key, is_request ? 1 : 2);
    moment.recording = recordings_.of(clock);
    moment.role = role;
    moment.cause = moment.effect = at;
    if (moment.recording != kNone) all_.moments.push_back(moment);
  }

  std::span<const BatchTrackers> batches_;
  size_t first_;
  FlowMoments& all_;
  const EventBatch* batch_ = nullptr;
  RecordingIndex recordings_;
  CallArgs<kRpcFields> args_{kRpcNames};
};

}  // namespace

FlowMoments read_rpc(std::span<const FileToLocate> files, const Trackers& trackers) {
  FlowMoments all;
  for_each_file(trackers, [&](size_t file, std::span<const BatchTrackers> batches, size_t first) {
    RpcReader(files[file], batches, first, all).read();
  });
  return all;
}

}  // namespace tracebraid::align
