// Allocation of contiguous memory, and the search for memory to free (spec proto 5.5,
// "Memory").
#include <fmt/format.h>

#include <cmath>

#include "assemble/kernel/kernel.h"
#include "assemble/kernel/state.h"

namespace tracebraid {
namespace {

bool kernel_is_at_least(Kernel& k, const KernelEvent& e, KernelVersion least) {
  return k.state().kernels[e.machine] >= least;
}

constexpr KernelVersion kContiguousFrom{5, 10};
constexpr KernelVersion kFinishFrom{6, 1};

void cma_alloc_start(Kernel& k, const KernelEvent& e) {
  if (!kernel_is_at_least(k, e, kContiguousFrom)) return;
  k.begin(e, k.thread_track(e), k.id("mm_cma_alloc"));
}

void cma_alloc_info(Kernel& k, const KernelEvent& e) {
  if (!kernel_is_at_least(k, e, kContiguousFrom) || kernel_is_at_least(k, e, kFinishFrom)) return;
  const ArgSource args = k.set()
                             .text("cma_name", e.text("name"))
                             .uint("cma_pfn", e.u64("pfn"))
                             .uint("cma_req_pages", e.u32("count"))
                             .uint("cma_nr_migrated", e.u64("nr_migrated"))
                             .uint("cma_nr_reclaimed", e.u64("nr_reclaimed"))
                             .uint("cma_nr_mapped", e.u64("nr_mapped"))
                             .uint("cma_nr_isolate_fail", e.u32("err_iso"))
                             .uint("cma_nr_migrate_fail", e.u32("err_mig"))
                             .uint("cma_nr_test_fail", e.u32("err_test"))
                             .close();
  k.end(e, k.thread_track(e), {}, {.args = args});
}

void mm_alloc_contig_migrate_range_info(Kernel& k, const KernelEvent& e) {
  if (!kernel_is_at_least(k, e, kFinishFrom)) return;
  k.state().memory.migrations[e.utid] = {e.u64("nr_migrated"), e.u64("nr_reclaimed"),
                                         e.u64("nr_mapped")};
}

void cma_alloc_finish(Kernel& k, const KernelEvent& e) {
  if (!kernel_is_at_least(k, e, kFinishFrom)) return;
  k.set()
      .text("cma_name", e.text("name"))
      .uint("cma_pfn", e.u64("pfn"))
      .uint("cma_req_pages", e.u64("count"));
  auto& migrations = k.state().memory.migrations;
  if (const auto at = migrations.find(e.utid); at != migrations.end()) {
    k.more()
        .uint("cma_nr_migrated", at->second.migrated)
        .uint("cma_nr_reclaimed", at->second.reclaimed)
        .uint("cma_nr_mapped", at->second.mapped);
    migrations.erase(at);
  }
  k.end(e, k.thread_track(e), {}, {.args = k.more().close()});
}

void reclaim_begin(Kernel& k, const KernelEvent& e, std::string_view which) {
  const ArgSource args =
      k.set()
          .integer(fmt::format("{}_reclaim_order", which), e.i32("order"))
          .integer(fmt::format("{}_reclaim_may_writepage", which), e.i32("may_writepage"))
          .uint(fmt::format("{}_reclaim_gfp_flags", which), e.u64("gfp_flags"))
          .close();
  k.begin(e, k.thread_track(e), k.id(fmt::format("mm_vmscan_{}_reclaim", which)), {.args = args});
}

void reclaim_end(Kernel& k, const KernelEvent& e, std::string_view which) {
  const ArgSource args =
      k.set().uint(fmt::format("{}_reclaim_nr_reclaimed", which), e.u64("nr_reclaimed")).close();
  k.end(e, k.thread_track(e), {}, {.args = args});
}

void direct_begin(Kernel& k, const KernelEvent& e) { reclaim_begin(k, e, "direct"); }
void direct_end(Kernel& k, const KernelEvent& e) { reclaim_end(k, e, "direct"); }
void memcg_begin(Kernel& k, const KernelEvent& e) { reclaim_begin(k, e, "memcg"); }
void memcg_end(Kernel& k, const KernelEvent& e) { reclaim_end(k, e, "memcg"); }

void mm_shrink_slab_start(Kernel& k, const KernelEvent& e) {
  const ArgSource args = k.set()
                             .text("shrink_name", k.function(e, "shrink"))
                             .uint("total_scan", e.u64("total_scan"))
                             .integer("priority", e.i32("priority"))
                             .close();
  k.begin(e, k.thread_track(e), k.id("mm_vmscan_shrink_slab"), {.args = args});
}

void mm_shrink_slab_end(Kernel& k, const KernelEvent& e) {
  k.end(e, k.thread_track(e), {}, {.args = k.set().integer("freed", e.i32("retval")).close()});
}

void pixel_mm_kswapd_wake(Kernel& k, const KernelEvent& e) {
  k.begin(e, k.thread_track(e), k.id("kswapd_efficiency"));
}

void pixel_mm_kswapd_done(Kernel& k, const KernelEvent& e) {
  const uint64_t scanned = e.u64("delta_nr_scanned"), reclaimed = e.u64("delta_nr_reclaimed");
  MadeArgs& args = k.set();
  if (e.has("delta_nr_scanned")) args.uint("pages scanned", scanned);
  if (e.has("delta_nr_reclaimed")) args.uint("pages reclaimed", reclaimed);
  if (e.has("delta_nr_scanned") && e.has("delta_nr_reclaimed")) {
    const double percent =
        scanned == 0
            ? 0
            : std::round(static_cast<double>(reclaimed) * 100 / static_cast<double>(scanned));
    args.uint("efficiency %", percent < 1e18 ? static_cast<uint64_t>(percent) : 0);
  }
  if (e.has("delta_nr_allocated")) args.uint("pages allocated", e.u64("delta_nr_allocated"));
  k.end(e, k.thread_track(e), k.id("kswapd_efficiency"), {.args = args.close()});
}

constexpr KernelHandler kHandlers[] = {
    {"cma_alloc_start", cma_alloc_start},
    {"cma_alloc_info", cma_alloc_info},
    {"cma_alloc_finish", cma_alloc_finish},
    {"mm_alloc_contig_migrate_range_info", mm_alloc_contig_migrate_range_info},
    {"mm_vmscan_direct_reclaim_begin", direct_begin},
    {"mm_vmscan_direct_reclaim_end", direct_end},
    {"mm_vmscan_memcg_reclaim_begin", memcg_begin},
    {"mm_vmscan_memcg_reclaim_end", memcg_end},
    {"mm_shrink_slab_start", mm_shrink_slab_start},
    {"mm_shrink_slab_end", mm_shrink_slab_end},
    {"pixel_mm_kswapd_wake", pixel_mm_kswapd_wake},
    {"pixel_mm_kswapd_done", pixel_mm_kswapd_done},
};

}  // namespace

KernelHandlers reclaim_handlers() { return kHandlers; }

}  // namespace tracebraid
