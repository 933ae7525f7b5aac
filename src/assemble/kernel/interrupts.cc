// Interrupts and deferred work (spec proto 5.5, "Interrupts, work, calls").
#include <fmt/format.h>

#include <array>

#include "assemble/kernel/kernel.h"

namespace tracebraid {
namespace {

constexpr TrackKind kIrq{.type = "cpu_irq", .scope = TrackScope::Cpu};
constexpr TrackKind kSoftirq{.type = "cpu_softirq", .scope = TrackScope::Cpu};
constexpr TrackKind kHrtimer{.type = "cpu_hrtimer", .scope = TrackScope::Cpu};
constexpr TrackKind kNapi{.type = "cpu_napi_gro", .scope = TrackScope::Cpu};

constexpr std::array<std::string_view, 10> kSoftirqs{"HI",      "TIMER",        "NET_TX",  "NET_RX",
                                                     "BLOCK",   "BLOCK_IOPOLL", "TASKLET", "SCHED",
                                                     "HRTIMER", "RCU"};

uint32_t cpu_track(Kernel& k, const KernelEvent& e, const TrackKind& kind, std::string_view what) {
  return k.track(e, kind, e.cpu(), {}, [&] { return fmt::format("{} Cpu {}", what, e.cpu()); });
}

uint32_t irq_track(Kernel& k, const KernelEvent& e) { return cpu_track(k, e, kIrq, "Irq"); }

void irq_handler_entry(Kernel& k, const KernelEvent& e) {
  k.begin(e, irq_track(k, e), k.id(fmt::format("IRQ ({})", e.text("name"))),
          {.category = k.id("irq")});
}

void irq_handler_exit(Kernel& k, const KernelEvent& e) {
  const bool is_handled = e.is_text("ret") ? e.text("ret") == "handled" : e.i32("ret") == 1;
  const ArgSource ret = k.set().text("ret", is_handled ? "handled" : "unhandled").close();
  k.end(e, irq_track(k, e), {}, {.category = k.id("irq"), .args = ret});
}

void local_timer_entry(Kernel& k, const KernelEvent& e) {
  k.begin(e, irq_track(k, e), k.id("IRQ (LocalTimer)"), {.category = k.id("irq")});
}

void local_timer_exit(Kernel& k, const KernelEvent& e) {
  k.end(e, irq_track(k, e), {}, {.category = k.id("irq")});
}

void softirq_entry(Kernel& k, const KernelEvent& e) {
  const uint32_t vec = e.u32("vec");
  if (vec >= kSoftirqs.size()) return;
  k.begin(e, cpu_track(k, e, kSoftirq, "SoftIrq"), k.id(kSoftirqs[vec]), {.category = k.id("irq")});
}

void softirq_exit(Kernel& k, const KernelEvent& e) {
  const ArgSource vec = k.set().integer("vec", e.u32("vec")).close();
  k.end(e, cpu_track(k, e, kSoftirq, "SoftIrq"), {}, {.category = k.id("irq"), .args = vec});
}

void workqueue_execute_start(Kernel& k, const KernelEvent& e) {
  k.begin(e, k.thread_track(e), k.function(e, "function"),
          {.category = k.id("workqueue"), .args = k.set().integer("cpu", e.cpu()).close()});
}

void workqueue_execute_end(Kernel& k, const KernelEvent& e) {
  k.end(e, k.thread_track(e), {}, {.category = k.id("workqueue")});
}

void hrtimer_expire_entry(Kernel& k, const KernelEvent& e) {
  k.begin(e, cpu_track(k, e, kHrtimer, "Hrtimer"), k.function(e, "function"),
          {.category = k.id("hrtimer")});
}

void hrtimer_expire_exit(Kernel& k, const KernelEvent& e) {
  k.end(e, cpu_track(k, e, kHrtimer, "Hrtimer"), {}, {.category = k.id("hrtimer")});
}

void napi_gro_receive_entry(Kernel& k, const KernelEvent& e) {
  k.begin(e, cpu_track(k, e, kNapi, "Napi Gro"), e.text_id("name"),
          {.category = k.id("napi_gro"), .args = k.set().integer("len", e.u32("len")).close()});
}

void napi_gro_receive_exit(Kernel& k, const KernelEvent& e) {
  k.end(e, cpu_track(k, e, kNapi, "Napi Gro"), {},
        {.category = k.id("napi_gro"), .args = k.set().integer("ret", e.i32("ret")).close()});
}

constexpr KernelHandler kHandlers[] = {
    {"irq_handler_entry", irq_handler_entry},
    {"irq_handler_exit", irq_handler_exit},
    {"local_timer_entry", local_timer_entry},
    {"local_timer_exit", local_timer_exit},
    {"softirq_entry", softirq_entry},
    {"softirq_exit", softirq_exit},
    {"workqueue_execute_start", workqueue_execute_start},
    {"workqueue_execute_end", workqueue_execute_end},
    {"hrtimer_expire_entry", hrtimer_expire_entry},
    {"hrtimer_expire_exit", hrtimer_expire_exit},
    {"napi_gro_receive_entry", napi_gro_receive_entry},
    {"napi_gro_receive_exit", napi_gro_receive_exit},
};

}  // namespace

KernelHandlers interrupt_handlers() { return kHandlers; }

}  // namespace tracebraid
