// Binder calls (spec proto 5.5, "binder").
#include <fmt/format.h>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <string>
#include <vector>

#include "assemble/kernel/by_machine.h"
#include "assemble/kernel/topics.h"
#include "kernel/values.h"

namespace tracebraid {
namespace {

// The state of a thread in a call. Needed for failures only.
enum class BinderStep : uint8_t {
  Commanded,       // the sender issued the command
  Sent,            // the sender sent the transaction
  Completed,       // the kernel passed the transaction on
  Answered,        // the reply arrived
  Received,        // the receiver got the transaction
  Returned,        // the receiver was notified
  ReplyCommanded,  // the receiver issued the reply command
  ReplySent,       // the receiver sent the reply
};
struct BinderFrame {
  BinderStep step;
  bool is_oneway = false, is_reply = false;  // of the transaction
};

struct BinderTransaction {  // sent, not received yet
  bool is_reply = false, is_oneway = false;
  uint32_t track = kNone;  // of the sender
  uint32_t slice = kNone;
  ArgSource args;
};

struct BinderState {
  Remembered<BinderTransaction> sent;                              // by id
  absl::flat_hash_map<uint32_t, std::vector<BinderFrame>> frames;  // by utid
  absl::flat_hash_set<uint32_t> waits_for_lock, has_lock;          // by utid
};

constexpr size_t kMaxFrames = 1024;  // of one thread

BinderFrame* top_frame(BinderState& state, uint32_t utid) {
  const auto at = state.frames.find(utid);
  return at == state.frames.end() || at->second.empty() ? nullptr : &at->second.back();
}
void pop_frame(BinderState& state, uint32_t utid) { state.frames[utid].pop_back(); }
void push_frame(BinderState& state, uint32_t utid, BinderFrame frame) {
  std::vector<BinderFrame>& frames = state.frames[utid];
  if (frames.size() < kMaxFrames) frames.push_back(frame);
}

ArgSource transaction_args(KernelEmitter& out, const KernelEvent& e) {
  return out.args()
      .integer("transaction id", e.i32("debug_id"))
      .integer("destination node", e.i32("target_node"))
      .integer("destination process", e.i32("to_proc"))
      .boolean("reply transaction?", e.i32("reply") == 1)
      .text("flags", binder_flags(e.u32("flags")))
      .text("code", fmt::format("{:#04x} Java Layer Dependent", e.u32("code")))
      .uint("calling tid", static_cast<uint64_t>(e.tid()))
      .close();
}

uint32_t add_slice(KernelEmitter& out, const KernelEvent& e, const BinderTransaction& sent) {
  const SliceParts parts{.category = out.id("binder"), .args = sent.args};
  if (sent.is_reply) {
    const int64_t tid = e.i32("to_thread");
    out.args().integer("destination thread", tid);
    const uint32_t utid = out.thread_of(e, tid);
    if (const StringId name = out.thread_name(utid)) out.more_args().text("destination name", name);
    const ArgSource destination = out.more_args().close();
    out.add_args(out.open_slice(e, sent.track, out.id("binder reply")), destination);
    return out.end(e, sent.track, {}, {.args = sent.args});
  }
  if (sent.is_oneway) return out.instant(e, sent.track, out.id("binder transaction async"), parts);
  return out.begin(e, sent.track, out.id("binder transaction"), parts);
}

void binder_transaction(KernelEmitter& out, BinderState& state, const KernelEvent& e) {
  BinderTransaction sent{.is_reply = e.i32("reply") == 1,
                         .is_oneway = (e.u32("flags") & kBinderOneWay) != 0,
                         .track = out.thread_track(e),
                         .args = transaction_args(out, e)};
  sent.slice = add_slice(out, e, sent);
  state.sent[{e.machine, e.u32("debug_id")}] = sent;
  BinderFrame* frame = top_frame(state, e.utid);
  if (frame == nullptr) return;
  switch (frame->step) {
    case BinderStep::Commanded:
      *frame = {BinderStep::Sent, sent.is_oneway, sent.is_reply};
      break;
    case BinderStep::ReplyCommanded:
      *frame = {BinderStep::ReplySent, sent.is_oneway, sent.is_reply};
      break;
    case BinderStep::Received:  // commands are not traced, so no event completes the frame
      pop_frame(state, e.utid);
      break;
    default:
      break;
  }
}

void receive_reply(KernelEmitter& out, BinderState& state, const KernelEvent& e) {
  out.end(e, out.thread_track(e));
  BinderFrame* frame = top_frame(state, e.utid);
  if (frame == nullptr) return;
  if (frame->step == BinderStep::Sent || frame->step == BinderStep::Completed)
    frame->step = BinderStep::Answered;
}

void binder_transaction_received(KernelEmitter& out, BinderState& state, const KernelEvent& e) {
  auto& all = state.sent;
  const auto at = all.find({e.machine, e.u32("debug_id")});
  if (at == all.end()) return;
  const BinderTransaction sent = at->second;
  all.erase(at);
  if (sent.is_reply) return receive_reply(out, state, e);
  const uint32_t track = out.thread_track(e);
  uint32_t received = kNone;
  if (sent.is_oneway) {
    received = out.instant(e, track, out.id("binder async rcv"),
                           {.category = out.id("binder"), .args = sent.args});
  } else {
    out.args().uint("destination thread", static_cast<uint64_t>(e.tid()));
    if (const StringId name = out.thread_name(e.utid))
      out.more_args().text("destination name", name);
    const ArgSource destination = out.more_args().close();
    out.add_args(out.open_slice(e, sent.track, out.id("binder transaction")), destination);
    received = out.begin(e, track, out.id("binder reply"), {.category = out.id("binder")});
    push_frame(state, e.utid, {BinderStep::Received});
  }
  out.connect(sent.slice, received);
}

void binder_transaction_alloc_buf(KernelEmitter& out, const KernelEvent& e) {
  const ArgSource sizes = out.args()
                              .uint("data size", e.u64("data_size"))
                              .uint("offsets size", e.u64("offsets_size"))
                              .close();
  out.add_args(out.open_slice(e, out.thread_track(e), out.id("binder transaction")), sizes);
}

void binder_command(KernelEmitter&, BinderState& state, const KernelEvent& e) {
  BinderFrame* frame = top_frame(state, e.utid);
  switch (e.u32("cmd")) {
    case kBcTransaction:
    case kBcTransactionSg:
      return push_frame(state, e.utid, {BinderStep::Commanded});
    case kBcReply:
    case kBcReplySg:
      if (frame != nullptr && frame->step == BinderStep::Returned)
        frame->step = BinderStep::ReplyCommanded;
      return;
    default:
      return;
  }
}

void complete_transaction(BinderState& state, uint32_t utid, BinderFrame& frame) {
  switch (frame.step) {
    case BinderStep::Sent:
      if (!frame.is_oneway) {
        frame.step = BinderStep::Completed;
        return;
      }
      [[fallthrough]];
    case BinderStep::Commanded:
    case BinderStep::ReplyCommanded:
    case BinderStep::ReplySent:
      return pop_frame(state, utid);
    default:
      return;
  }
}

void fail_transaction(KernelEmitter& out, BinderState& state, const KernelEvent& e,
                      const BinderFrame& frame) {
  const bool was_sent = frame.step == BinderStep::Sent || frame.step == BinderStep::Completed;
  if (was_sent && !frame.is_oneway && !frame.is_reply) out.end(e, out.thread_track(e));
  pop_frame(state, e.utid);
}

void binder_return(KernelEmitter& out, BinderState& state, const KernelEvent& e) {
  BinderFrame* frame = top_frame(state, e.utid);
  if (frame == nullptr) return;
  switch (e.u32("cmd")) {
    case kBrTransaction:
    case kBrTransactionSecCtx:
      if (frame->step == BinderStep::Received) frame->step = BinderStep::Returned;
      return;
    case kBrReply:
      if (frame->step == BinderStep::Answered) pop_frame(state, e.utid);
      return;
    case kBrTransactionComplete:
    case kBrOnewaySpamSuspect:
    case kBrTransactionPendingFrozen:
      return complete_transaction(state, e.utid, *frame);
    case kBrDeadReply:
    case kBrFailedReply:
    case kBrFrozenReply:
      return fail_transaction(out, state, e, *frame);
    default:
      return;
  }
}

void binder_lock(KernelEmitter& out, BinderState& state, const KernelEvent& e) {
  out.begin(e, out.thread_track(e), out.id("binder lock waiting"), {.category = out.id("binder")});
  state.waits_for_lock.insert(e.utid);
}

void binder_locked(KernelEmitter& out, BinderState& state, const KernelEvent& e) {
  if (state.waits_for_lock.erase(e.utid) == 0) return;
  out.end(e, out.thread_track(e));
  out.begin(e, out.thread_track(e), out.id("binder lock held"), {.category = out.id("binder")});
  state.has_lock.insert(e.utid);
}

void binder_unlock(KernelEmitter& out, BinderState& state, const KernelEvent& e) {
  if (state.has_lock.erase(e.utid) != 0) out.end(e, out.thread_track(e));
}

constexpr KernelHandler<BinderState> kHandlers[] = {
    {"binder_transaction", binder_transaction},
    {"binder_transaction_received", binder_transaction_received},
    {"binder_transaction_alloc_buf", binder_transaction_alloc_buf},
    {"binder_command", binder_command},
    {"binder_return", binder_return},
    {"binder_lock", binder_lock},
    {"binder_locked", binder_locked},
    {"binder_unlock", binder_unlock},
};

}  // namespace

std::unique_ptr<KernelTopic> binder_topic() { return make_topic(kHandlers); }

}  // namespace tracebraid
