// The protected hypervisor: when a CPU was in it, and why (spec proto 5.5).
#include <fmt/format.h>

#include "assemble/kernel/kernel.h"

namespace tracebraid {
namespace {

constexpr TrackKind kHypervisor{.type = "pkvm_hypervisor", .scope = TrackScope::Cpu};

uint32_t hypervisor_track(Kernel& k, const KernelEvent& e) {
  return k.track(e, kHypervisor, e.cpu(), {},
                 [&] { return fmt::format("pkVM Hypervisor CPU {}", e.cpu()); });
}

void enter(Kernel& k, const KernelEvent& e) {
  k.begin(e, hypervisor_track(k, e), k.id("hyp"), {.category = k.id("pkvm_hyp")});
}
void exit(Kernel& k, const KernelEvent& e) { k.end(e, hypervisor_track(k, e)); }

MadeArgs& reason(Kernel& k, std::string_view name) {
  return k.set().text("hyp_enter_reason", name);
}
void explain(Kernel& k, const KernelEvent& e) {
  const ArgSource args = k.more().close();
  k.add_args(k.open_slice(e, hypervisor_track(k, e), k.id("hyp")), args);
}

void host_hcall(Kernel& k, const KernelEvent& e) {
  reason(k, "host_hcall").uint("id", e.u32("id")).uint("invalid", e.u32("invalid"));
  explain(k, e);
}
void host_smc(Kernel& k, const KernelEvent& e) {
  reason(k, "host_smc").uint("id", e.u64("id")).uint("forwarded", e.u32("forwarded"));
  explain(k, e);
}
void host_mem_abort(Kernel& k, const KernelEvent& e) {
  reason(k, "host_mem_abort").uint("esr", e.u64("esr")).uint("addr", e.u64("addr"));
  explain(k, e);
}
void host_ffa_call(Kernel& k, const KernelEvent& e) {
  reason(k, "host_ffa_call")
      .uint("func_id", e.u64("func_id"))
      .integer("handled", e.i32("handled"))
      .integer("err", e.i32("err"));
  explain(k, e);
}
void iommu_idmap(Kernel& k, const KernelEvent& e) {
  reason(k, "iommu_idmap")
      .uint("from", e.u64("from"))
      .uint("to", e.u64("to"))
      .integer("prot", e.i32("prot"));
  explain(k, e);
}
void psci_mem_protect(Kernel& k, const KernelEvent& e) {
  reason(k, "psci_mem_protect").uint("count", e.u64("count")).uint("was", e.u64("was"));
  explain(k, e);
}
void iommu_idmap_complete(Kernel& k, const KernelEvent& e) {
  reason(k, "iommu_idmap_complete").boolean("map", e.flag("map"));
  explain(k, e);
}
void vcpu_illegal_trap(Kernel& k, const KernelEvent& e) {
  reason(k, "vcpu_illegal_trap").uint("esr", e.u64("esr"));
  explain(k, e);
}

constexpr KernelHandler kHandlers[] = {
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

KernelHandlers pkvm_handlers() { return kHandlers; }

}  // namespace tracebraid
