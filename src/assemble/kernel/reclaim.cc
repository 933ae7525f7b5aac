// Allocation of contiguous memory, and the search for memory to free (spec proto 5.5,
// "Memory").
#include <fmt/format.h>

#include <absl/container/flat_hash_map.h>
#include <cmath>

#include "assemble/kernel/topics.h"

namespace tracebraid {
namespace {

struct ContiguousMigration {  // of memory, for an allocation
  uint64_t migrated = 0, reclaimed = 0, mapped = 0;
};
struct ReclaimState {
  absl::flat_hash_map<uint32_t, ContiguousMigration> migrations;  // by utid
};

constexpr KernelVersion kContiguousFrom{5, 10};
constexpr KernelVersion kFinishFrom{6, 1};

void cma_alloc_start(KernelEmitter& out, const KernelEvent& e) {
  if (out.kernel_version(e) < kContiguousFrom) return;
  out.begin(e, out.thread_track(e), out.id("mm_cma_alloc"));
}

void cma_alloc_info(KernelEmitter& out, const KernelEvent& e) {
  if (out.kernel_version(e) < kContiguousFrom || out.kernel_version(e) >= kFinishFrom) return;
  const ArgSource args = out.args()
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
  out.end(e, out.thread_track(e), {}, {.args = args});
}

void mm_alloc_contig_migrate_range_info(KernelEmitter& out, ReclaimState& state,
                                        const KernelEvent& e) {
  if (out.kernel_version(e) < kFinishFrom) return;
  state.migrations[e.utid] = {e.u64("nr_migrated"), e.u64("nr_reclaimed"), e.u64("nr_mapped")};
}

void cma_alloc_finish(KernelEmitter& out, ReclaimState& state, const KernelEvent& e) {
  if (out.kernel_version(e) < kFinishFrom) return;
  out.args()
      .text("cma_name", e.text("name"))
      .uint("cma_pfn", e.u64("pfn"))
      .uint("cma_req_pages", e.u64("count"));
  auto& migrations = state.migrations;
  if (const auto at = migrations.find(e.utid); at != migrations.end()) {
    out.more_args()
        .uint("cma_nr_migrated", at->second.migrated)
        .uint("cma_nr_reclaimed", at->second.reclaimed)
        .uint("cma_nr_mapped", at->second.mapped);
    migrations.erase(at);
  }
  out.end(e, out.thread_track(e), {}, {.args = out.more_args().close()});
}

void reclaim_begin(KernelEmitter& out, const KernelEvent& e, std::string_view which) {
  const ArgSource args =
      out.args()
          .integer(fmt::format("{}_reclaim_order", which), e.i32("order"))
          .integer(fmt::format("{}_reclaim_may_writepage", which), e.i32("may_writepage"))
          .uint(fmt::format("{}_reclaim_gfp_flags", which), e.u64("gfp_flags"))
          .close();
  out.begin(e, out.thread_track(e), out.id(fmt::format("mm_vmscan_{}_reclaim", which)),
            {.args = args});
}

void reclaim_end(KernelEmitter& out, const KernelEvent& e, std::string_view which) {
  const ArgSource args =
      out.args().uint(fmt::format("{}_reclaim_nr_reclaimed", which), e.u64("nr_reclaimed")).close();
  out.end(e, out.thread_track(e), {}, {.args = args});
}

void direct_begin(KernelEmitter& out, const KernelEvent& e) { reclaim_begin(out, e, "direct"); }
void direct_end(KernelEmitter& out, const KernelEvent& e) { reclaim_end(out, e, "direct"); }
void memcg_begin(KernelEmitter& out, const KernelEvent& e) { reclaim_begin(out, e, "memcg"); }
void memcg_end(KernelEmitter& out, const KernelEvent& e) { reclaim_end(out, e, "memcg"); }

void mm_shrink_slab_start(KernelEmitter& out, const KernelEvent& e) {
  const ArgSource args = out.args()
                             .text("shrink_name", out.function(e, "shrink"))
                             .uint("total_scan", e.u64("total_scan"))
                             .integer("priority", e.i32("priority"))
                             .close();
  out.begin(e, out.thread_track(e), out.id("mm_vmscan_shrink_slab"), {.args = args});
}

void mm_shrink_slab_end(KernelEmitter& out, const KernelEvent& e) {
  out.end(e, out.thread_track(e), {},
          {.args = out.args().integer("freed", e.i32("retval")).close()});
}

void pixel_mm_kswapd_wake(KernelEmitter& out, const KernelEvent& e) {
  out.begin(e, out.thread_track(e), out.id("kswapd_efficiency"));
}

void pixel_mm_kswapd_done(KernelEmitter& out, const KernelEvent& e) {
  const uint64_t scanned = e.u64("delta_nr_scanned"), reclaimed = e.u64("delta_nr_reclaimed");
  MadeArgs& args = out.args();
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
  out.end(e, out.thread_track(e), out.id("kswapd_efficiency"), {.args = args.close()});
}

constexpr KernelHandler<ReclaimState> kHandlers[] = {
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

std::unique_ptr<KernelTopic> reclaim_topic() { return make_topic(kHandlers); }

}  // namespace tracebraid
