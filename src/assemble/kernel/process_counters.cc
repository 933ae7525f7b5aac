#include "assemble/kernel/process_counters.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <string>
#include <vector>

#include "assemble/kernel/state.h"
#include "assemble/rows/plain_rows.h"

namespace tracebraid {
namespace {

// Rows of counter have this, and an index of the wanted tracks, until these are made.
constexpr uint32_t kWanted = uint32_t{1} << 31;

struct Shown {
  std::string_view type, fallback_type;
  std::vector<Dim> dims;
  std::string name;
};

constexpr std::array<std::string_view, 7> kMemoryKeys{
    "rss.file", "rss.anon", "swap", "rss.shmem", "unreclaimable", "unknown", "dmabuf_rss"};
constexpr std::array<std::string_view, kMmEventTypes> kMmTypes{
    "min_flt", "maj_flt", "read_io", "compaction", "reclaim", "swp_flt", "kern_alloc"};
constexpr std::array<std::string_view, kMmEventMetrics> kMmMetrics{"count", "max_lat", "avg_lat"};

Shown shown(uint32_t kind) {
  if (kind < kMemoryKeys.size())
    return {"process_memory",
            "process_memory_thread_fallback",
            {{"process_memory_key", kMemoryKeys[kind]}},
            fmt::format("mem.{}", kMemoryKeys[kind])};
  if (kind == static_cast<uint32_t>(ProcessCounter::OomScoreAdj))
    return {"oom_score_adj", "oom_score_adj_thread_fallback", {}, "oom_score_adj"};
  const uint32_t mm = kind - static_cast<uint32_t>(ProcessCounter::MmEvent);
  const std::string_view type = kMmTypes[mm / kMmEventMetrics % kMmEventTypes];
  const std::string_view metric = kMmMetrics[mm % kMmEventMetrics];
  return {"mm_event",
          "mm_event_thread_fallback",
          {{"mm_event_type", type}, {"mm_event_metric", metric}},
          fmt::format("mem.mm.{}.{}", type, metric)};
}

}  // namespace

void add_process_counter(Kernel& k, const KernelEvent& e, uint32_t utid, uint32_t kind,
                         double value, ArgSource args) {
  PendingCounters& pending = k.state().process_counters;
  const auto next = static_cast<uint32_t>(pending.wanted.size());
  const ThreadCounter counter{utid, kind, e.file()};
  const auto [at, is_new] = pending.indexes.try_emplace(counter, next);
  if (is_new) pending.wanted.push_back({counter, e.machine});
  Event row{};
  row.ts = e.ts();
  row.value = std::bit_cast<int64_t>(value);
  add_counter(row, kWanted | at->second, {k.args.set(args)}, k.store);
}

void place_process_counters(Kernel& k) {
  PendingCounters& pending = k.state().process_counters;
  if (pending.wanted.empty()) return;
  std::vector<uint32_t> rows;
  rows.reserve(pending.wanted.size());
  for (const PendingCounters::Wanted& wanted : pending.wanted) {
    const Shown what = shown(wanted.counter.kind);
    const uint32_t upid = k.identity.process_of_thread(wanted.counter.utid);
    const bool is_known = upid != OptRow::kNull;
    const TrackKind kind = counter_kind(is_known ? what.type : what.fallback_type,
                                        is_known ? TrackScope::Process : TrackScope::Thread);
    const uint32_t track = k.track(wanted.machine, wanted.counter.file, kind,
                                   is_known ? upid : wanted.counter.utid, what.dims, what.name);
    rows.push_back(k.tracks.begin_row(track, {}));
  }
  PackedColumn<uint32_t>& tracks = k.store.counters.track_id;
  for (size_t i = 0; i < tracks.size(); ++i)
    if ((tracks[i] & kWanted) != 0) tracks.at(i) = rows[tracks[i] & ~kWanted];
}

}  // namespace tracebraid
