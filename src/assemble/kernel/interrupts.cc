// Interrupts and deferred work (spec proto 5.5, "Interrupts, work, calls").
#include <fmt/format.h>

#include "assemble/kernel/topics.h"
#include "kernel/values.h"

namespace tracebraid {
namespace {

constexpr TrackKind kIrq{.type = "cpu_irq", .scope = TrackScope::Cpu};
constexpr TrackKind kSoftirq{.type = "cpu_softirq", .scope = TrackScope::Cpu};
constexpr TrackKind kHrtimer{.type = "cpu_hrtimer", .scope = TrackScope::Cpu};
constexpr TrackKind kNapi{.type = "cpu_napi_gro", .scope = TrackScope::Cpu};

uint32_t cpu_track(KernelEmitter& out, const KernelEvent& e, const TrackKind& kind,
                   std::string_view what) {
  return out.track(e, kind, e.cpu(), {}, [&] { return fmt::format("{} Cpu {}", what, e.cpu()); });
}

uint32_t irq_track(KernelEmitter& out, const KernelEvent& e) {
  return cpu_track(out, e, kIrq, "Irq");
}

void irq_handler_entry(KernelEmitter& out, const KernelEvent& e) {
  out.begin(e, irq_track(out, e), out.id(fmt::format("IRQ ({})", e.text("name"))),
            {.category = out.id("irq")});
}

void irq_handler_exit(KernelEmitter& out, const KernelEvent& e) {
  const bool is_handled = e.is_text("ret") ? e.text("ret") == "handled" : e.i32("ret") == 1;
  const ArgSource ret = out.args().text("ret", is_handled ? "handled" : "unhandled").close();
  out.end(e, irq_track(out, e), {}, {.category = out.id("irq"), .args = ret});
}

void local_timer_entry(KernelEmitter& out, const KernelEvent& e) {
  out.begin(e, irq_track(out, e), out.id("IRQ (LocalTimer)"), {.category = out.id("irq")});
}

void local_timer_exit(KernelEmitter& out, const KernelEvent& e) {
  out.end(e, irq_track(out, e), {}, {.category = out.id("irq")});
}

void softirq_entry(KernelEmitter& out, const KernelEvent& e) {
  const std::string_view name = softirq_name(e.u32("vec"));
  if (name.empty()) return;
  out.begin(e, cpu_track(out, e, kSoftirq, "SoftIrq"), out.id(name), {.category = out.id("irq")});
}

void softirq_exit(KernelEmitter& out, const KernelEvent& e) {
  const ArgSource vec = out.args().integer("vec", e.u32("vec")).close();
  out.end(e, cpu_track(out, e, kSoftirq, "SoftIrq"), {}, {.category = out.id("irq"), .args = vec});
}

void workqueue_execute_start(KernelEmitter& out, const KernelEvent& e) {
  out.begin(e, out.thread_track(e), out.function(e, "function"),
            {.category = out.id("workqueue"), .args = out.args().integer("cpu", e.cpu()).close()});
}

void workqueue_execute_end(KernelEmitter& out, const KernelEvent& e) {
  out.end(e, out.thread_track(e), {}, {.category = out.id("workqueue")});
}

void hrtimer_expire_entry(KernelEmitter& out, const KernelEvent& e) {
  out.begin(e, cpu_track(out, e, kHrtimer, "Hrtimer"), out.function(e, "function"),
            {.category = out.id("hrtimer")});
}

void hrtimer_expire_exit(KernelEmitter& out, const KernelEvent& e) {
  out.end(e, cpu_track(out, e, kHrtimer, "Hrtimer"), {}, {.category = out.id("hrtimer")});
}

void napi_gro_receive_entry(KernelEmitter& out, const KernelEvent& e) {
  out.begin(
      e, cpu_track(out, e, kNapi, "Napi Gro"), e.text_id("name"),
      {.category = out.id("napi_gro"), .args = out.args().integer("len", e.u32("len")).close()});
}

void napi_gro_receive_exit(KernelEmitter& out, const KernelEvent& e) {
  out.end(
      e, cpu_track(out, e, kNapi, "Napi Gro"), {},
      {.category = out.id("napi_gro"), .args = out.args().integer("ret", e.i32("ret")).close()});
}

constexpr KernelHandler<NoState> kHandlers[] = {
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

std::unique_ptr<KernelTopic> interrupt_topic() { return make_topic(kHandlers); }

}  // namespace tracebraid
