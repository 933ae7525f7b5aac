// The protected hypervisor: when a CPU entered it, and why (spec proto 5.5).
#include <fmt/format.h>

#include "assemble/kernel/topics.h"

namespace tracebraid {
namespace {

constexpr TrackKind kHypervisor{.type = "pkvm_hypervisor", .scope = TrackScope::Cpu};

uint32_t hypervisor_track(KernelEmitter& out, const KernelEvent& e) {
  return out.track(e, kHypervisor, e.cpu(), {},
                   [&] { return fmt::format("pkVM Hypervisor CPU {}", e.cpu()); });
}

void enter(KernelEmitter& out, const KernelEvent& e) {
  out.begin(e, hypervisor_track(out, e), out.id("hyp"), {.category = out.id("pkvm_hyp")});
}
void exit(KernelEmitter& out, const KernelEvent& e) { out.end(e, hypervisor_track(out, e)); }

MadeArgs& reason(KernelEmitter& out, std::string_view name) {
  return out.args().text("hyp_enter_reason", name);
}
void explain(KernelEmitter& out, const KernelEvent& e) {
  const ArgSource args = out.more_args().close();
  out.add_args(out.open_slice(e, hypervisor_track(out, e), out.id("hyp")), args);
}

void host_hcall(KernelEmitter& out, const KernelEvent& e) {
  reason(out, "host_hcall").uint("id", e.u32("id")).uint("invalid", e.u32("invalid"));
  explain(out, e);
}
void host_smc(KernelEmitter& out, const KernelEvent& e) {
  reason(out, "host_smc").uint("id", e.u64("id")).uint("forwarded", e.u32("forwarded"));
  explain(out, e);
}
void host_mem_abort(KernelEmitter& out, const KernelEvent& e) {
  reason(out, "host_mem_abort").uint("esr", e.u64("esr")).uint("addr", e.u64("addr"));
  explain(out, e);
}
void host_ffa_call(KernelEmitter& out, const KernelEvent& e) {
  reason(out, "host_ffa_call")
      .uint("func_id", e.u64("func_id"))
      .integer("handled", e.i32("handled"))
      .integer("err", e.i32("err"));
  explain(out, e);
}
void iommu_idmap(KernelEmitter& out, const KernelEvent& e) {
  reason(out, "iommu_idmap")
      .uint("from", e.u64("from"))
      .uint("to", e.u64("to"))
      .integer("prot", e.i32("prot"));
  explain(out, e);
}
void psci_mem_protect(KernelEmitter& out, const KernelEvent& e) {
  reason(out, "psci_mem_protect").uint("count", e.u64("count")).uint("was", e.u64("was"));
  explain(out, e);
}
void iommu_idmap_complete(KernelEmitter& out, const KernelEvent& e) {
  reason(out, "iommu_idmap_complete").boolean("map", e.flag("map"));
  explain(out, e);
}
void vcpu_illegal_trap(KernelEmitter& out, const KernelEvent& e) {
  reason(out, "vcpu_illegal_trap").uint("esr", e.u64("esr"));
  explain(out, e);
}

constexpr KernelHandler<NoState> kHandlers[] = {
    {"hyp_enter", enter},
    {"hyp_exit", exit},
    {"host_hcall", host_hcall},
    {"host_smc", host_smc},
    {"host_mem_abort", host_mem_abort},
    {"host_ffa_call", host_ffa_call},
    {"iommu_idmap", iommu_idmap},
    {"psci_mem_protect", psci_mem_protect},
    {"hypervisor_hyp_enter", enter},
    {"hypervisor_hyp_exit", exit},
    {"hypervisor_host_hcall", host_hcall},
    {"hypervisor_host_smc", host_smc},
    {"hypervisor_host_mem_abort", host_mem_abort},
    {"hypervisor_host_ffa_call", host_ffa_call},
    {"hypervisor_iommu_idmap", iommu_idmap},
    {"hypervisor_psci_mem_protect", psci_mem_protect},
    {"hypervisor_iommu_idmap_complete", iommu_idmap_complete},
    {"hypervisor_vcpu_illegal_trap", vcpu_illegal_trap},
};

}  // namespace

std::unique_ptr<KernelTopic> pkvm_topic() { return make_topic(kHandlers); }

}  // namespace tracebraid
