// System calls, signals, probes and transfers of threads (spec proto 5.5, "Interrupts, work,
// calls").
#include <fmt/format.h>

#include <absl/container/flat_hash_map.h>
#include <algorithm>

#include "assemble/kernel/topics.h"
#include "assemble/stats.h"
#include "kernel/syscalls.h"

namespace tracebraid {
namespace {

struct I2cOperation {
  uint32_t adapter = 0, messages = 0;
};

struct CallState {
  absl::flat_hash_map<uint32_t, I2cOperation> i2c;  // open operations, by utid
  // Calls of write that a mark ended early: their end must close nothing (by utid).
  absl::flat_hash_map<uint32_t, uint32_t> open_writes, cut_writes;
};

constexpr TrackKind kThreadGraph{.type = "thread_funcgraph", .scope = TrackScope::Thread};
constexpr TrackKind kCpuGraph{.type = "cpu_funcgraph", .scope = TrackScope::Cpu};

constexpr std::string_view kNeverReturns = "sys_rt_sigreturn";

StringId call_name(KernelEmitter& out, const KernelEvent& e, int64_t number) {
  const SyscallArch arch = syscall_arch(out.architecture(e));
  const std::string_view name = syscall_name(arch, static_cast<uint32_t>(number));
  return name.empty() ? out.id(fmt::format("sys_{}", number)) : out.id(name);
}

bool is_call(int64_t number) { return number >= 0 && number < kSyscalls; }

void sys_enter(KernelEmitter& out, CallState& state, const KernelEvent& e) {
  const int64_t number = e.i64("id");
  if (!is_call(number)) return;
  const StringId name = call_name(out, e, number);
  MadeArgs& args = out.args();
  size_t count = 0;
  for (const ArgRow& row : e.rows)
    if (e.flat_name(row) == "args") args.element("args", count++, ArgType::Uint, row.value);
  const SliceParts parts{.args = args.close()};
  const uint32_t track = out.thread_track(e);
  if (out.text(name) == kNeverReturns) {
    out.instant(e, track, name, parts);
    return;
  }
  out.begin(e, track, name, parts);
  if (out.text(name) == "sys_write") ++state.open_writes[e.utid];
}

void sys_exit(KernelEmitter& out, CallState& state, const KernelEvent& e) {
  const int64_t number = e.i64("id");
  if (!is_call(number)) return;
  const StringId name = call_name(out, e, number);
  if (out.text(name) == kNeverReturns) return;
  if (out.text(name) == "sys_write") {
    if (const auto cut = state.cut_writes.find(e.utid); cut != state.cut_writes.end()) {
      if (--cut->second == 0) state.cut_writes.erase(cut);
      return;
    }
    state.open_writes.erase(e.utid);
  }
  out.end(e, out.thread_track(e), name, {.args = out.args().integer("ret", e.i64("ret")).close()});
}

// A mark is written by a call of write, but the slices of the mark are not inside that call.
void print(KernelEmitter& out, CallState& state, const KernelEvent& e) {
  const auto open = state.open_writes.find(e.utid);
  if (open == state.open_writes.end()) return;
  state.open_writes.erase(open);
  if (out.end(e, out.thread_track(e), out.id("sys_write")) == kNone) return;
  ++state.cut_writes[e.utid];
  out.count(stats::truncated_sys_write_duration, e);
}

void signal_generate(KernelEmitter& out, const KernelEvent& e) {
  const uint32_t utid = out.thread_of(e, e.i32("pid"));
  out.instant(e, out.thread_track(e, utid), out.id("signal_generate"),
              {.args = out.args().integer("signal.sig", e.i32("sig")).close()});
}

void signal_deliver(KernelEmitter& out, const KernelEvent& e) {
  out.instant(e, out.thread_track(e), out.id("signal_deliver"),
              {.args = out.args().integer("signal.sig", e.i32("sig")).close()});
}

void scm_call_start(KernelEmitter& out, const KernelEvent& e) {
  out.begin(e, out.thread_track(e), out.id(fmt::format("scm id={:#x}", e.u64("x0"))));
}

void scm_call_end(KernelEmitter& out, const KernelEvent& e) { out.end(e, out.thread_track(e)); }

void kprobe_event(KernelEmitter& out, const KernelEvent& e) {
  const StringId name = e.text_id("name");
  const uint32_t track = out.thread_track(e);
  switch (e.i32("type")) {
    case 1:
      out.begin(e, track, name);
      break;
    case 2:
      out.end(e, track, name);
      break;
    case 3:
      out.instant(e, track, name);
      break;
    default:
      break;
  }
}

uint32_t graph_track(KernelEmitter& out, const KernelEvent& e) {
  if (e.tid() != 0) return out.track(e, kThreadGraph, e.utid, {}, "Funcgraph");
  return out.track(e, kCpuGraph, e.cpu(), {},
                   [&] { return fmt::format("swapper{} -funcgraph", e.cpu()); });
}

void funcgraph_entry(KernelEmitter& out, const KernelEvent& e) {
  out.begin(e, graph_track(out, e), out.function(e, "func"));
}

void funcgraph_exit(KernelEmitter& out, const KernelEvent& e) {
  out.end(e, graph_track(out, e), out.function(e, "func"));
}

// One operation may consist of several messages.
void i2c_start(KernelEmitter& out, CallState& state, const KernelEvent& e) {
  const uint32_t adapter = e.u32("adapter_nr"), messages = e.u32("msg_nr") + 1;
  const auto [open, is_new] = state.i2c.try_emplace(e.utid);
  if (!is_new) {
    open->second.messages = std::max(open->second.messages, messages);
    return;
  }
  open->second = {adapter, messages};
  out.begin(e, out.thread_track(e), out.id(fmt::format("i2c-{}", static_cast<int32_t>(adapter))));
}

void i2c_result(KernelEmitter& out, CallState& state, const KernelEvent& e) {
  auto& all = state.i2c;
  const auto open = all.find(e.utid);
  if (open == all.end()) return;
  if (open->second.adapter != e.u32("adapter_nr") || open->second.messages != e.u32("nr_msgs"))
    return;
  all.erase(open);
  out.end(e, out.thread_track(e));
}

constexpr KernelHandler<CallState> kHandlers[] = {
    {"sys_enter", sys_enter},
    {"sys_exit", sys_exit},
    {"print", print},
    {"signal_generate", signal_generate},
    {"signal_deliver", signal_deliver},
    {"scm_call_start", scm_call_start},
    {"scm_call_end", scm_call_end},
    {"kprobe_event", kprobe_event},
    {"funcgraph_entry", funcgraph_entry},
    {"funcgraph_exit", funcgraph_exit},
    {"i2c_read", i2c_start},
    {"i2c_write", i2c_start},
    {"i2c_result", i2c_result},
};

}  // namespace

std::unique_ptr<KernelTopic> call_topic() { return make_topic(kHandlers); }

}  // namespace tracebraid
