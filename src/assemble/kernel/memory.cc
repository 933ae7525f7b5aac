// Memory of processes and of the system (spec proto 5.5, "Memory").
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "assemble/kernel/process_counters.h"
#include "assemble/kernel/state.h"

namespace tracebraid {
namespace {

constexpr TrackKind kIon = counter_kind("ion");
constexpr TrackKind kIonChange = counter_kind("ion_change", TrackScope::Thread);
constexpr TrackKind kDmaHeap = counter_kind("android_dma_heap");
constexpr TrackKind kDmaHeapChange = counter_kind("android_dma_heap_change", TrackScope::Thread);
constexpr TrackKind kFastrpc = counter_kind("fastrpc");
constexpr TrackKind kFastrpcChange = counter_kind("fastrpc_change", TrackScope::Thread);
constexpr TrackKind kIonBuffers{.type = "android_ion_allocations", .lanes = Lanes::ByCookie};
constexpr TrackKind kDmaBuffers{.type = "android_dma_allocations", .lanes = Lanes::ByCookie};

void add_rss(Kernel& k, const KernelEvent& e, uint32_t utid) {
  constexpr auto kUnknown = static_cast<uint32_t>(ProcessCounter::UnknownMember);
  const uint32_t member = std::min(e.u32("member"), kUnknown);
  add_process_counter(k, e, utid, member, static_cast<double>(e.i64("size")),
                      k.set().integer("utid", utid).close());
}

// The memory that the event is about is the emitter's, or is known by a number.
void rss_by_mm(Kernel& k, const KernelEvent& e) {
  Remembered<uint32_t>& threads = k.state().memory.thread_of_mm;
  const OfMachine mm{e.machine, e.u32("mm_id")};
  if (e.flag("curr")) {
    threads[mm] = e.utid;
    return add_rss(k, e, e.utid);
  }
  const auto known = threads.find(mm);
  // A thread for which its own memory is not its own is between two of them (vfork, exec).
  const bool is_alive =
      known != threads.end() && known->second != e.utid &&
      k.identity.known_thread(e.machine, k.store.threads.tid[known->second]) == known->second;
  if (!is_alive) {
    if (known != threads.end()) threads.erase(known);
    return k.count(stats::rss_stat_unknown_thread_for_mm_id, e);
  }
  add_rss(k, e, known->second);
}

void rss_stat(Kernel& k, const KernelEvent& e) {
  if (e.i64("size") < 0) return k.count(stats::rss_stat_negative_size, e);
  if (e.has("mm_id") && e.has("curr")) return rss_by_mm(k, e);
  add_rss(k, e, e.utid);
}

void dmabuf_rss_stat(Kernel& k, const KernelEvent& e) {
  add_process_counter(k, e, e.utid, ProcessCounter::DmabufRss, static_cast<double>(e.u64("rss")),
                      k.set().integer("utid", e.utid).close());
}

void oom_score_adj_update(Kernel& k, const KernelEvent& e) {
  const uint32_t utid = k.identity.thread_of(e.machine, e.i32("pid"));
  add_process_counter(k, e, utid, ProcessCounter::OomScoreAdj,
                      static_cast<int16_t>(e.i64("oom_score_adj")),
                      k.set().integer("utid", utid).close());
}

void mm_event_record(Kernel& k, const KernelEvent& e) {
  const uint32_t type = e.u32("type");
  if (type >= kMmEventTypes) return k.count(stats::mm_unknown_type, e);
  const ArgSource utid = k.set().integer("utid", e.utid).close();
  uint32_t kind = static_cast<uint32_t>(ProcessCounter::MmEvent) + kMmEventMetrics * type;
  for (const Field metric : {Field("count"), Field("max_lat"), Field("avg_lat")})
    add_process_counter(k, e, e.utid, kind++, e.u32(metric), utid);
}

void mark_victim(Kernel& k, const KernelEvent& e) {
  const uint32_t utid = k.identity.thread_of(e.machine, e.i32("pid"));
  k.instant(e, k.thread_track(e, utid), k.id("mem.oom_kill"));
}

// len: by how much the heap has changed.
void ion_heap(Kernel& k, const KernelEvent& e, double len) {
  const std::string_view heap = e.has("heap_name") ? e.text("heap_name") : "unknown";
  const uint32_t total = k.track(e, kIon, kNone, {{"heap_name", heap}},
                                 [&] { return fmt::format("mem.ion.{}", heap); });
  k.counter(e, total, static_cast<double>(e.i64("total_allocated")) + len);
  const uint32_t change = k.track(e, kIonChange, e.utid, {{"heap_name", heap}},
                                  [&] { return fmt::format("mem.ion_change.{}", heap); });
  k.counter(e, change, len);
}

void ion_heap_grow(Kernel& k, const KernelEvent& e) {
  ion_heap(k, e, static_cast<double>(e.u64("len")));
}
void ion_heap_shrink(Kernel& k, const KernelEvent& e) {
  ion_heap(k, e, -static_cast<double>(e.u64("len")));
}

// The life of a buffer, from its allocation to its end.
void buffer(Kernel& k, const KernelEvent& e, uint32_t track, uint64_t cookie) {
  const int64_t len = e.i64("len");
  if (len > 0)
    k.begin(e, track, k.id(fmt::format("{} kB", len / 1024)), {.cookie = cookie});
  else
    k.end(e, track, {}, {.cookie = cookie});
}

void ion_stat(Kernel& k, const KernelEvent& e) {
  k.counter(e, k.track(e, kIon, kNone, {}, "mem.ion"),
            static_cast<double>(e.u64("total_allocated")));
  k.counter(e, k.track(e, kIonChange, e.utid, {}, "mem.ion_change"),
            static_cast<double>(e.i64("len")));
  buffer(k, e, k.track(e, kIonBuffers, kNone, {}, "mem.ion_buffer"), e.u64("buffer_id"));
}

void dma_heap_stat(Kernel& k, const KernelEvent& e) {
  const uint64_t inode = e.u64("inode");
  k.counter(e, k.track(e, kDmaHeap, kNone, {}, "mem.dma_heap"),
            static_cast<double>(e.u64("total_allocated")));
  k.counter(e, k.track(e, kDmaHeapChange, e.utid, {}, "mem.dma_heap_change"),
            static_cast<double>(e.i64("len")), k.set().uint("inode", inode).close());
  buffer(k, e, k.track(e, kDmaBuffers, kNone, {}, "mem.dma_buffer"), inode);
}

void fastrpc_dma_stat(Kernel& k, const KernelEvent& e) {
  constexpr std::array<std::string_view, 4> kNames{"ASDP", "MDSP", "SDSP", "CDSP"};
  const uint32_t cid = e.u32("cid");
  const std::string name =
      cid < kNames.size() ? std::string(kNames[cid]) : std::to_string(e.i32("cid"));
  const uint32_t total = k.track(e, kFastrpc, kNone, {{"cid", e.i32("cid")}},
                                 [&] { return fmt::format("mem.fastrpc[{}]", name); });
  k.counter(e, total, static_cast<double>(e.u64("total_allocated")));
  const uint32_t change = k.track(e, kFastrpcChange, e.utid, {{"cid", e.i32("cid")}},
                                  [&] { return fmt::format("mem.fastrpc_change[{}]", name); });
  k.counter(e, change, static_cast<double>(e.i64("len")));
}

constexpr KernelHandler kHandlers[] = {
    {"rss_stat", rss_stat},
    {"rss_stat_throttled", rss_by_mm},
    {"dmabuf_rss_stat", dmabuf_rss_stat},
    {"oom_score_adj_update", oom_score_adj_update},
    {"mm_event_record", mm_event_record},
    {"mark_victim", mark_victim},
    {"ion_heap_grow", ion_heap_grow},
    {"ion_heap_shrink", ion_heap_shrink},
    {"ion_stat", ion_stat},
    {"dma_heap_stat", dma_heap_stat},
    {"fastrpc_dma_stat", fastrpc_dma_stat},
};

}  // namespace

KernelHandlers memory_handlers() { return kHandlers; }

}  // namespace tracebraid
