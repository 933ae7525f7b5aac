// Binder calls (spec proto 5.5, "binder").
#include <fmt/format.h>

#include <string>

#include "assemble/kernel/kernel.h"
#include "assemble/kernel/state.h"

namespace tracebraid {
namespace {

constexpr size_t kMaxFrames = 1024;  // of one thread

constexpr uint32_t kOneWay = 0x01;

enum Command : uint32_t {
  kBcTransaction = 0x40406300,
  kBcReply = 0x40406301,
  kBcTransactionSg = 0x40486311,
  kBcReplySg = 0x40486312,
  kBrTransactionSecCtx = 0x80487202,
  kBrTransaction = 0x80407202,
  kBrReply = 0x80407203,
  kBrDeadReply = 0x7205,
  kBrTransactionComplete = 0x7206,
  kBrFailedReply = 0x7211,
  kBrFrozenReply = 0x7212,
  kBrOnewaySpamSuspect = 0x7213,
  kBrTransactionPendingFrozen = 0x7214,
};

std::string flags_text(uint32_t flags) {
  std::string text = fmt::format("{:#04x} ", flags);
  if ((flags & kOneWay) != 0) text += "this is a one-way call: async, no return; ";
  if ((flags & 0x04) != 0) text += "contents are the components root object; ";
  if ((flags & 0x08) != 0) text += "contents are a 32-bit status code; ";
  if ((flags & 0x10) != 0) text += "allow replies with file descriptors; ";
  if (flags == 0) text += "No Flags Set";
  return text;
}

BinderFrame* top_frame(Kernel& k, uint32_t utid) {
  const auto at = k.state().binder.frames.find(utid);
  return at == k.state().binder.frames.end() || at->second.empty() ? nullptr : &at->second.back();
}
void pop_frame(Kernel& k, uint32_t utid) { k.state().binder.frames[utid].pop_back(); }
void push_frame(Kernel& k, uint32_t utid, BinderFrame frame) {
  std::vector<BinderFrame>& frames = k.state().binder.frames[utid];
  if (frames.size() < kMaxFrames) frames.push_back(frame);
}

ArgSource transaction_args(Kernel& k, const KernelEvent& e) {
  return k.set()
      .integer("transaction id", e.i32("debug_id"))
      .integer("destination node", e.i32("target_node"))
      .integer("destination process", e.i32("to_proc"))
      .boolean("reply transaction?", e.i32("reply") == 1)
      .text("flags", flags_text(e.u32("flags")))
      .text("code", fmt::format("{:#04x} Java Layer Dependent", e.u32("code")))
      .uint("calling tid", static_cast<uint64_t>(e.tid()))
      .close();
}

uint32_t add_slice(Kernel& k, const KernelEvent& e, const BinderTransaction& sent) {
  const SliceParts parts{.category = k.id("binder"), .args = sent.args};
  if (sent.is_reply) {
    const int64_t tid = e.i32("to_thread");
    k.set().integer("destination thread", tid);
    const uint32_t utid = k.identity.thread_of(e.machine, tid);
    if (const StringId name = k.store.threads.name[utid]) k.more().text("destination name", name);
    const ArgSource destination = k.more().close();
    k.add_args(k.open_slice(e, sent.track, k.id("binder reply")), destination);
    return k.end(e, sent.track, {}, {.args = sent.args});
  }
  if (sent.is_oneway) return k.instant(e, sent.track, k.id("binder transaction async"), parts);
  return k.begin(e, sent.track, k.id("binder transaction"), parts);
}

void binder_transaction(Kernel& k, const KernelEvent& e) {
  BinderTransaction sent{.is_reply = e.i32("reply") == 1,
                         .is_oneway = (e.u32("flags") & kOneWay) != 0,
                         .track = k.thread_track(e),
                         .args = transaction_args(k, e)};
  sent.slice = add_slice(k, e, sent);
  k.state().binder.sent[{e.machine, e.u32("debug_id")}] = sent;
  BinderFrame* frame = top_frame(k, e.utid);
  if (frame == nullptr) return;
  switch (frame->step) {
    case BinderStep::Commanded:
      *frame = {BinderStep::Sent, sent.is_oneway, sent.is_reply};
      break;
    case BinderStep::ReplyCommanded:
      *frame = {BinderStep::ReplySent, sent.is_oneway, sent.is_reply};
      break;
    case BinderStep::Received:  // commands are not traced: nothing will say that this is done
      pop_frame(k, e.utid);
      break;
    default:
      break;
  }
}

void receive_reply(Kernel& k, const KernelEvent& e) {
  k.end(e, k.thread_track(e));
  BinderFrame* frame = top_frame(k, e.utid);
  if (frame == nullptr) return;
  if (frame->step == BinderStep::Sent || frame->step == BinderStep::Completed)
    frame->step = BinderStep::Answered;
}

void binder_transaction_received(Kernel& k, const KernelEvent& e) {
  auto& all = k.state().binder.sent;
  const auto at = all.find({e.machine, e.u32("debug_id")});
  if (at == all.end()) return;
  const BinderTransaction sent = at->second;
  all.erase(at);
  if (sent.is_reply) return receive_reply(k, e);
  const uint32_t track = k.thread_track(e);
  uint32_t received = kNone;
  if (sent.is_oneway) {
    received = k.instant(e, track, k.id("binder async rcv"),
                         {.category = k.id("binder"), .args = sent.args});
  } else {
    k.set().uint("destination thread", static_cast<uint64_t>(e.tid()));
    if (const StringId name = k.store.threads.name[e.utid]) k.more().text("destination name", name);
    const ArgSource destination = k.more().close();
    k.add_args(k.open_slice(e, sent.track, k.id("binder transaction")), destination);
    received = k.begin(e, track, k.id("binder reply"), {.category = k.id("binder")});
    push_frame(k, e.utid, {BinderStep::Received});
  }
  k.flows.connect(sent.slice, received);
}

void binder_transaction_alloc_buf(Kernel& k, const KernelEvent& e) {
  const ArgSource sizes = k.set()
                              .uint("data size", e.u64("data_size"))
                              .uint("offsets size", e.u64("offsets_size"))
                              .close();
  k.add_args(k.open_slice(e, k.thread_track(e), k.id("binder transaction")), sizes);
}

void binder_command(Kernel& k, const KernelEvent& e) {
  BinderFrame* frame = top_frame(k, e.utid);
  switch (e.u32("cmd")) {
    case kBcTransaction:
    case kBcTransactionSg:
      return push_frame(k, e.utid, {BinderStep::Commanded});
    case kBcReply:
    case kBcReplySg:
      if (frame != nullptr && frame->step == BinderStep::Returned)
        frame->step = BinderStep::ReplyCommanded;
      return;
    default:
      return;
  }
}

void complete_transaction(Kernel& k, uint32_t utid, BinderFrame& frame) {
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
      return pop_frame(k, utid);
    default:
      return;
  }
}

void fail_transaction(Kernel& k, const KernelEvent& e, const BinderFrame& frame) {
  const bool was_sent = frame.step == BinderStep::Sent || frame.step == BinderStep::Completed;
  if (was_sent && !frame.is_oneway && !frame.is_reply) k.end(e, k.thread_track(e));
  pop_frame(k, e.utid);
}

void binder_return(Kernel& k, const KernelEvent& e) {
  BinderFrame* frame = top_frame(k, e.utid);
  if (frame == nullptr) return;
  switch (e.u32("cmd")) {
    case kBrTransaction:
    case kBrTransactionSecCtx:
      if (frame->step == BinderStep::Received) frame->step = BinderStep::Returned;
      return;
    case kBrReply:
      if (frame->step == BinderStep::Answered) pop_frame(k, e.utid);
      return;
    case kBrTransactionComplete:
    case kBrOnewaySpamSuspect:
    case kBrTransactionPendingFrozen:
      return complete_transaction(k, e.utid, *frame);
    case kBrDeadReply:
    case kBrFailedReply:
    case kBrFrozenReply:
      return fail_transaction(k, e, *frame);
    default:
      return;
  }
}

void binder_lock(Kernel& k, const KernelEvent& e) {
  k.begin(e, k.thread_track(e), k.id("binder lock waiting"), {.category = k.id("binder")});
  k.state().binder.waits_for_lock.insert(e.utid);
}

void binder_locked(Kernel& k, const KernelEvent& e) {
  if (k.state().binder.waits_for_lock.erase(e.utid) == 0) return;
  k.end(e, k.thread_track(e));
  k.begin(e, k.thread_track(e), k.id("binder lock held"), {.category = k.id("binder")});
  k.state().binder.has_lock.insert(e.utid);
}

void binder_unlock(Kernel& k, const KernelEvent& e) {
  if (k.state().binder.has_lock.erase(e.utid) != 0) k.end(e, k.thread_track(e));
}

constexpr KernelHandler kHandlers[] = {
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

KernelHandlers binder_handlers() { return kHandlers; }

}  // namespace tracebraid
