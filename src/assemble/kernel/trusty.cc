// Calls into the secure world (spec proto 5.5, "Trusty").
#include <fmt/format.h>

#include "assemble/kernel/topics.h"

namespace tracebraid {
namespace {

void begin(KernelEmitter& out, const KernelEvent& e, std::string_view name) {
  out.begin(e, out.thread_track(e), out.id(name), {.category = out.id("tipc")});
}
void end(KernelEmitter& out, const KernelEvent& e) {
  out.end(e, out.thread_track(e), {}, {.category = out.id("tipc")});
}
void instant(KernelEmitter& out, const KernelEvent& e, std::string_view name) {
  out.instant(e, out.thread_track(e), out.id(name), {.category = out.id("tipc")});
}

void smc(KernelEmitter& out, const KernelEvent& e) {
  begin(out, e, fmt::format("trusty_smc:r0= {}", e.u64("r0")));
}
void smc_done(KernelEmitter& out, const KernelEvent& e) {
  end(out, e);
  instant(out, e, fmt::format("trusty_smc_done:r0= {}", e.u64("ret")));
}

void std_call(KernelEmitter& out, const KernelEvent& e) { begin(out, e, "trusty_std"); }
void std_call_done(KernelEmitter& out, const KernelEvent& e) {
  end(out, e);
  if (e.i64("ret") < 0) instant(out, e, fmt::format("trusty_err_std: err= {}", e.i64("ret")));
}

void share_memory(KernelEmitter& out, const KernelEvent& e) {
  begin(out, e,
        fmt::format("trusty_share_mem: len= {} nents= {} lend= {}", e.u64("len"), e.u32("nents"),
                    e.u32("lend")));
}
void share_memory_done(KernelEmitter& out, const KernelEvent& e) {
  end(out, e);
  instant(out, e,
          fmt::format("trusty_share_mem: handle= {} ret= {}", e.u64("handle"), e.i32("ret")));
}

void reclaim_memory(KernelEmitter& out, const KernelEvent& e) {
  begin(out, e, fmt::format("trusty_reclaim_mem: id={}", e.u64("id")));
}
void reclaim_memory_done(KernelEmitter& out, const KernelEvent& e) {
  end(out, e);
  if (e.i32("ret") < 0)
    instant(out, e, fmt::format("trusty_reclaim_mem_err: err= {}", e.i32("ret")));
}

void irq(KernelEmitter& out, const KernelEvent& e) {
  instant(out, e, fmt::format("trusty_irq: irq= {}", e.i32("irq")));
}

void ipc_handle_event(KernelEmitter& out, const KernelEvent& e) {
  instant(out, e,
          fmt::format("trusty_ipc_handle_event: chan={} srv_name={} event={}", e.u32("chan"),
                      e.text("srv_name"), e.u32("event_id")));
}

void enqueue_nop(KernelEmitter& out, const KernelEvent& e) {
  instant(out, e,
          fmt::format("trusty_enqueue_nop: arg1= {} arg2= {} arg3={}", e.u32("arg1"), e.u32("arg2"),
                      e.u32("arg3")));
}

void ipc_connect(KernelEmitter& out, const KernelEvent& e) {
  begin(out, e, fmt::format("tipc_connect: {}", e.text("port")));
}
void ipc_connect_end(KernelEmitter& out, const KernelEvent& e) {
  end(out, e);
  if (e.i32("err") != 0) instant(out, e, fmt::format("tipc_err_connect:err= {}", e.i32("err")));
}

void ipc_write(KernelEmitter& out, const KernelEvent& e) {
  std::string name = fmt::format("tipc_write: {}", e.text("srv_name"));
  if (e.u64("shm_cnt") > 0) name += fmt::format(" shm_cnt:[{}]", e.u64("shm_cnt"));
  instant(out, e, name);
  if (e.i32("len_or_err") < 0)
    instant(out, e, fmt::format("tipc_err_write:len_or_err= {}", e.i32("len_or_err")));
}

void ipc_read(KernelEmitter& out, const KernelEvent& e) {
  begin(out, e, fmt::format("tipc_read: {}", e.text("srv_name")));
}
void ipc_read_end(KernelEmitter& out, const KernelEvent& e) {
  end(out, e);
  if (e.i32("len_or_err") <= 0)
    instant(out, e, fmt::format("tipc_err_read:len_or_err= {}", e.i32("len_or_err")));
}

void ipc_poll(KernelEmitter& out, const KernelEvent& e) {
  instant(out, e, fmt::format("tipc_poll: {}", e.text("srv_name")));
}
void ipc_rx(KernelEmitter& out, const KernelEvent& e) { instant(out, e, "tipc_rx"); }

constexpr KernelHandler<NoState> kHandlers[] = {
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

std::unique_ptr<KernelTopic> trusty_topic() { return make_topic(kHandlers); }

}  // namespace tracebraid
