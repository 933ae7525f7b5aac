// System calls, signals, probes, transfers: what threads are doing (spec proto 5.5,
// "Interrupts, work, calls").
#include <fmt/format.h>

#include <algorithm>

#include "assemble/kernel/kernel.h"
#include "assemble/kernel/state.h"
#include "assemble/kernel/syscalls.h"

namespace tracebraid {
namespace {

constexpr TrackKind kThreadGraph{.type = "thread_funcgraph", .scope = TrackScope::Thread};
constexpr TrackKind kCpuGraph{.type = "cpu_funcgraph", .scope = TrackScope::Cpu};

constexpr std::string_view kNeverReturns = "sys_rt_sigreturn";

StringId call_name(Kernel& k, const KernelEvent& e, int64_t number) {
  const SyscallArch arch = syscall_arch(k.text(k.store.machines.arch[e.machine]));
  const std::string_view name = syscall_name(arch, static_cast<uint32_t>(number));
  return name.empty() ? k.id(fmt::format("sys_{}", number)) : k.id(name);
}

bool is_call(int64_t number) { return number >= 0 && number < kSyscalls; }

void sys_enter(Kernel& k, const KernelEvent& e) {
  const int64_t number = e.i64("id");
  if (!is_call(number)) return;
  const StringId name = call_name(k, e, number);
  MadeArgs& args = k.set();
  size_t count = 0;
  for (const ArgRow& row : e.rows)
    if (e.flat_name(row) == "args") args.element("args", count++, ArgType::Uint, row.value);
  const SliceParts parts{.args = args.close()};
  const uint32_t track = k.thread_track(e);
  if (k.text(name) == kNeverReturns) {
    k.instant(e, track, name, parts);
    return;
  }
  k.begin(e, track, name, parts);
  if (k.text(name) == "sys_write") ++k.state().calls.open_writes[e.utid];
}

void sys_exit(Kernel& k, const KernelEvent& e) {
  const int64_t number = e.i64("id");
  if (!is_call(number)) return;
  const StringId name = call_name(k, e, number);
  if (k.text(name) == kNeverReturns) return;
  if (k.text(name) == "sys_write") {
    CallState& calls = k.state().calls;
    if (const auto cut = calls.cut_writes.find(e.utid); cut != calls.cut_writes.end()) {
      if (--cut->second == 0) calls.cut_writes.erase(cut);
      return;
    }
    calls.open_writes.erase(e.utid);
  }
  k.end(e, k.thread_track(e), name, {.args = k.set().integer("ret", e.i64("ret")).close()});
}

// A mark is written by a call of write; what it says is not inside that call.
void print(Kernel& k, const KernelEvent& e) {
  CallState& calls = k.state().calls;
  const auto open = calls.open_writes.find(e.utid);
  if (open == calls.open_writes.end()) return;
  calls.open_writes.erase(open);
  if (k.end(e, k.thread_track(e), k.id("sys_write")) == kNone) return;
  ++calls.cut_writes[e.utid];
  k.count(stats::truncated_sys_write_duration, e);
}

void signal_generate(Kernel& k, const KernelEvent& e) {
  const uint32_t utid = k.identity.thread_of(e.machine, e.i32("pid"));
  k.instant(e, k.thread_track(e, utid), k.id("signal_generate"),
            {.args = k.set().integer("signal.sig", e.i32("sig")).close()});
}

void signal_deliver(Kernel& k, const KernelEvent& e) {
  k.instant(e, k.thread_track(e), k.id("signal_deliver"),
            {.args = k.set().integer("signal.sig", e.i32("sig")).close()});
}

void scm_call_start(Kernel& k, const KernelEvent& e) {
  k.begin(e, k.thread_track(e), k.id(fmt::format("scm id={:#x}", e.u64("x0"))));
}

void scm_call_end(Kernel& k, const KernelEvent& e) { k.end(e, k.thread_track(e)); }

void kprobe_event(Kernel& k, const KernelEvent& e) {
  const StringId name = e.text_id("name");
  const uint32_t track = k.thread_track(e);
  switch (e.i32("type")) {
    case 1:
      k.begin(e, track, name);
      break;
    case 2:
      k.end(e, track, name);
      break;
    case 3:
      k.instant(e, track, name);
      break;
    default:
      break;
  }
}

uint32_t graph_track(Kernel& k, const KernelEvent& e) {
  if (e.tid() != 0) return k.track(e, kThreadGraph, e.utid, {}, "Funcgraph");
  return k.track(e, kCpuGraph, e.cpu(), {},
                 [&] { return fmt::format("swapper{} -funcgraph", e.cpu()); });
}

void funcgraph_entry(Kernel& k, const KernelEvent& e) {
  k.begin(e, graph_track(k, e), k.function(e, "func"));
}

void funcgraph_exit(Kernel& k, const KernelEvent& e) {
  k.end(e, graph_track(k, e), k.function(e, "func"));
}

// One operation may be several messages.
void i2c_start(Kernel& k, const KernelEvent& e) {
  const uint32_t adapter = e.u32("adapter_nr"), messages = e.u32("msg_nr") + 1;
  const auto [open, is_new] = k.state().calls.i2c.try_emplace(e.utid);
  if (!is_new) {
    open->second.messages = std::max(open->second.messages, messages);
    return;
  }
  open->second = {adapter, messages};
  k.begin(e, k.thread_track(e), k.id(fmt::format("i2c-{}", static_cast<int32_t>(adapter))));
}

void i2c_result(Kernel& k, const KernelEvent& e) {
  auto& all = k.state().calls.i2c;
  const auto open = all.find(e.utid);
  if (open == all.end()) return;
  if (open->second.adapter != e.u32("adapter_nr") || open->second.messages != e.u32("nr_msgs"))
    return;
  all.erase(open);
  k.end(e, k.thread_track(e));
}

constexpr KernelHandler kHandlers[] = {
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

KernelHandlers call_handlers() { return kHandlers; }

}  // namespace tracebraid
