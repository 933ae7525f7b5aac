// Calls into the secure world (spec proto 5.5, "Trusty").
#include <fmt/format.h>

#include "assemble/kernel/kernel.h"

namespace tracebraid {
namespace {

void begin(Kernel& k, const KernelEvent& e, std::string_view name) {
  k.begin(e, k.thread_track(e), k.id(name), {.category = k.id("tipc")});
}
void end(Kernel& k, const KernelEvent& e) {
  k.end(e, k.thread_track(e), {}, {.category = k.id("tipc")});
}
void instant(Kernel& k, const KernelEvent& e, std::string_view name) {
  k.instant(e, k.thread_track(e), k.id(name), {.category = k.id("tipc")});
}

void smc(Kernel& k, const KernelEvent& e) {
  begin(k, e, fmt::format("trusty_smc:r0= {}", e.u64("r0")));
}
void smc_done(Kernel& k, const KernelEvent& e) {
  end(k, e);
  instant(k, e, fmt::format("trusty_smc_done:r0= {}", e.u64("ret")));
}

void std_call(Kernel& k, const KernelEvent& e) { begin(k, e, "trusty_std"); }
void std_call_done(Kernel& k, const KernelEvent& e) {
  end(k, e);
  if (e.i64("ret") < 0) instant(k, e, fmt::format("trusty_err_std: err= {}", e.i64("ret")));
}

void share_memory(Kernel& k, const KernelEvent& e) {
  begin(k, e,
        fmt::format("trusty_share_mem: len= {} nents= {} lend= {}", e.u64("len"), e.u32("nents"),
                    e.u32("lend")));
}
void share_memory_done(Kernel& k, const KernelEvent& e) {
  end(k, e);
  instant(k, e, fmt::format("trusty_share_mem: handle= {} ret= {}", e.u64("handle"), e.i32("ret")));
}

void reclaim_memory(Kernel& k, const KernelEvent& e) {
  begin(k, e, fmt::format("trusty_reclaim_mem: id={}", e.u64("id")));
}
void reclaim_memory_done(Kernel& k, const KernelEvent& e) {
  end(k, e);
  if (e.i32("ret") < 0) instant(k, e, fmt::format("trusty_reclaim_mem_err: err= {}", e.i32("ret")));
}

void irq(Kernel& k, const KernelEvent& e) {
  instant(k, e, fmt::format("trusty_irq: irq= {}", e.i32("irq")));
}

void ipc_handle_event(Kernel& k, const KernelEvent& e) {
  instant(k, e,
          fmt::format("trusty_ipc_handle_event: chan={} srv_name={} event={}", e.u32("chan"),
                      e.text("srv_name"), e.u32("event_id")));
}

void enqueue_nop(Kernel& k, const KernelEvent& e) {
  instant(k, e,
          fmt::format("trusty_enqueue_nop: arg1= {} arg2= {} arg3={}", e.u32("arg1"), e.u32("arg2"),
                      e.u32("arg3")));
}

void ipc_connect(Kernel& k, const KernelEvent& e) {
  begin(k, e, fmt::format("tipc_connect: {}", e.text("port")));
}
void ipc_connect_end(Kernel& k, const KernelEvent& e) {
  end(k, e);
  if (e.i32("err") != 0) instant(k, e, fmt::format("tipc_err_connect:err= {}", e.i32("err")));
}

void ipc_write(Kernel& k, const KernelEvent& e) {
  std::string name = fmt::format("tipc_write: {}", e.text("srv_name"));
  if (e.u64("shm_cnt") > 0) name += fmt::format(" shm_cnt:[{}]", e.u64("shm_cnt"));
  instant(k, e, name);
  if (e.i32("len_or_err") < 0)
    instant(k, e, fmt::format("tipc_err_write:len_or_err= {}", e.i32("len_or_err")));
}

void ipc_read(Kernel& k, const KernelEvent& e) {
  begin(k, e, fmt::format("tipc_read: {}", e.text("srv_name")));
}
void ipc_read_end(Kernel& k, const KernelEvent& e) {
  end(k, e);
  if (e.i32("len_or_err") <= 0)
    instant(k, e, fmt::format("tipc_err_read:len_or_err= {}", e.i32("len_or_err")));
}

void ipc_poll(Kernel& k, const KernelEvent& e) {
  instant(k, e, fmt::format("tipc_poll: {}", e.text("srv_name")));
}
void ipc_rx(Kernel& k, const KernelEvent& e) { instant(k, e, "tipc_rx"); }

constexpr KernelHandler kHandlers[] = {
    {"trusty_smc", smc},
    {"trusty_smc_done", smc_done},
    {"trusty_std_call32", std_call},
    {"trusty_std_call32_done", std_call_done},
    {"trusty_share_memory", share_memory},
    {"trusty_share_memory_done", share_memory_done},
    {"trusty_reclaim_memory", reclaim_memory},
    {"trusty_reclaim_memory_done", reclaim_memory_done},
    {"trusty_irq", irq},
    {"trusty_ipc_handle_event", ipc_handle_event},
    {"trusty_enqueue_nop", enqueue_nop},
    {"trusty_ipc_connect", ipc_connect},
    {"trusty_ipc_connect_end", ipc_connect_end},
    {"trusty_ipc_write", ipc_write},
    {"trusty_ipc_read", ipc_read},
    {"trusty_ipc_read_end", ipc_read_end},
    {"trusty_ipc_poll", ipc_poll},
    {"trusty_ipc_rx", ipc_rx},
};

}  // namespace

KernelHandlers trusty_handlers() { return kHandlers; }

}  // namespace tracebraid
