// Memory of processes and of the system (spec proto 5.5, "Memory").
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "assemble/kernel/by_machine.h"
#include "assemble/kernel/topics.h"
#include "assemble/stats.h"

namespace tracebraid {
namespace {

struct MemoryState {
  Remembered<uint32_t> thread_of_mm;  // utid
};

constexpr TrackKind kIon = counter_kind("ion");
constexpr TrackKind kIonChange = counter_kind("ion_change", TrackScope::Thread);
constexpr TrackKind kDmaHeap = counter_kind("android_dma_heap");
constexpr TrackKind kDmaHeapChange = counter_kind("android_dma_heap_change", TrackScope::Thread);
constexpr TrackKind kFastrpc = counter_kind("fastrpc");
constexpr TrackKind kFastrpcChange = counter_kind("fastrpc_change", TrackScope::Thread);
constexpr TrackKind kIonBuffers{.type = "android_ion_allocations", .lanes = Lanes::ByCookie};
constexpr TrackKind kDmaBuffers{.type = "android_dma_allocations", .lanes = Lanes::ByCookie};

void add_rss(KernelEmitter& out, const KernelEvent& e, uint32_t utid) {
  constexpr auto kUnknown = static_cast<uint32_t>(ProcessCounter::UnknownMember);
  const auto member = static_cast<ProcessCounter>(std::min(e.u32("member"), kUnknown));
  out.process_counter(e, utid, member, static_cast<double>(e.i64("size")),
                      out.args().integer("utid", utid).close());
}

// The memory of the event belongs to the emitter, or is identified by a number.
void rss_by_mm(KernelEmitter& out, MemoryState& state, const KernelEvent& e) {
  Remembered<uint32_t>& threads = state.thread_of_mm;
  const OfMachine mm{e.machine, e.u32("mm_id")};
  if (e.flag("curr")) {
    threads[mm] = e.utid;
    return add_rss(out, e, e.utid);
  }
  const auto known = threads.find(mm);
  const bool is_alive = known != threads.end() && out.is_current(e, known->second);
  if (!is_alive) {
    if (known != threads.end()) threads.erase(known);
    return out.count(stats::rss_stat_unknown_thread_for_mm_id, e);
  }
  add_rss(out, e, known->second);
}

void rss_stat(KernelEmitter& out, MemoryState& state, const KernelEvent& e) {
  if (e.i64("size") < 0) return out.count(stats::rss_stat_negative_size, e);
  if (e.has("mm_id") && e.has("curr")) return rss_by_mm(out, state, e);
  add_rss(out, e, e.utid);
}

void dmabuf_rss_stat(KernelEmitter& out, const KernelEvent& e) {
  out.process_counter(e, e.utid, ProcessCounter::DmabufRss, static_cast<double>(e.u64("rss")),
                      out.args().integer("utid", e.utid).close());
}

void oom_score_adj_update(KernelEmitter& out, const KernelEvent& e) {
  const uint32_t utid = out.thread_of(e, e.i32("pid"));
  out.process_counter(e, utid, ProcessCounter::OomScoreAdj,
                      static_cast<int16_t>(e.i64("oom_score_adj")),
                      out.args().integer("utid", utid).close());
}

void mm_event_record(KernelEmitter& out, const KernelEvent& e) {
  const uint32_t type = e.u32("type");
  if (type >= kMmEventTypes) return out.count(stats::mm_unknown_type, e);
  const ArgSource utid = out.args().integer("utid", e.utid).close();
  uint32_t metric = 0;
  for (const FieldKey field : {FieldKey("count"), FieldKey("max_lat"), FieldKey("avg_lat")})
    out.process_counter(e, e.utid, mm_event(type, metric++), e.u32(field), utid);
}

void mark_victim(KernelEmitter& out, const KernelEvent& e) {
  const uint32_t utid = out.thread_of(e, e.i32("pid"));
  out.instant(e, out.thread_track(e, utid), out.id("mem.oom_kill"));
}

// `len` is the change of the size of the heap.
void ion_heap(KernelEmitter& out, const KernelEvent& e, double len) {
  const std::string_view heap = e.has("heap_name") ? e.text("heap_name") : "unknown";
  const uint32_t total = out.track(e, kIon, kNone, {{"heap_name", heap}},
                                   [&] { return fmt::format("mem.ion.{}", heap); });
  out.counter(e, total, static_cast<double>(e.i64("total_allocated")) + len);
  const uint32_t change = out.track(e, kIonChange, e.utid, {{"heap_name", heap}},
                                    [&] { return fmt::format("mem.ion_change.{}", heap); });
  out.counter(e, change, len);
}

void ion_heap_grow(KernelEmitter& out, const KernelEvent& e) {
  ion_heap(out, e, static_cast<double>(e.u64("len")));
}
void ion_heap_shrink(KernelEmitter& out, const KernelEvent& e) {
  ion_heap(out, e, -static_cast<double>(e.u64("len")));
}

// Emits the lifetime of a buffer, from its allocation to its release.
void buffer(KernelEmitter& out, const KernelEvent& e, uint32_t track, uint64_t cookie) {
  const int64_t len = e.i64("len");
  if (len > 0)
    out.begin(e, track, out.id(fmt::format("{} kB", len / 1024)), {.cookie = cookie});
  else
    out.end(e, track, {}, {.cookie = cookie});
}

void ion_stat(KernelEmitter& out, const KernelEvent& e) {
  out.counter(e, out.track(e, kIon, kNone, {}, "mem.ion"),
              static_cast<double>(e.u64("total_allocated")));
  out.counter(e, out.track(e, kIonChange, e.utid, {}, "mem.ion_change"),
              static_cast<double>(e.i64("len")));
  buffer(out, e, out.track(e, kIonBuffers, kNone, {}, "mem.ion_buffer"), e.u64("buffer_id"));
}

void dma_heap_stat(KernelEmitter& out, const KernelEvent& e) {
  const uint64_t inode = e.u64("inode");
  out.counter(e, out.track(e, kDmaHeap, kNone, {}, "mem.dma_heap"),
              static_cast<double>(e.u64("total_allocated")));
  out.counter(e, out.track(e, kDmaHeapChange, e.utid, {}, "mem.dma_heap_change"),
              static_cast<double>(e.i64("len")), out.args().uint("inode", inode).close());
  buffer(out, e, out.track(e, kDmaBuffers, kNone, {}, "mem.dma_buffer"), inode);
}

void fastrpc_dma_stat(KernelEmitter& out, const KernelEvent& e) {
  constexpr std::array<std::string_view, 4> kNames{"ASDP", "MDSP", "SDSP", "CDSP"};
  const uint32_t cid = e.u32("cid");
  const std::string name =
      cid < kNames.size() ? std::string(kNames[cid]) : std::to_string(e.i32("cid"));
  const uint32_t total = out.track(e, kFastrpc, kNone, {{"cid", e.i32("cid")}},
                                   [&] { return fmt::format("mem.fastrpc[{}]", name); });
  out.counter(e, total, static_cast<double>(e.u64("total_allocated")));
  const uint32_t change = out.track(e, kFastrpcChange, e.utid, {{"cid", e.i32("cid")}},
                                    [&] { return fmt::format("mem.fastrpc_change[{}]", name); });
  out.counter(e, change, static_cast<double>(e.i64("len")));
}

constexpr KernelHandler<MemoryState> kHandlers[] = {
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

std::unique_ptr<KernelTopic> memory_topic() { return make_topic(kHandlers); }

}  // namespace tracebraid
