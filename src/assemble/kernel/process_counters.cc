#include "assemble/kernel/process_counters.h"

#include <fmt/format.h>

#include <array>

#include "assemble/tracks/tracks.h"

namespace tracebraid {
namespace {

// Marks a placeholder, which is an index of the wanted tracks.
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

Shown shown(ProcessCounter counter) {
  const auto number = static_cast<uint32_t>(counter);
  if (number < kMemoryKeys.size())
    return {"process_memory",
            "process_memory_thread_fallback",
            {{"process_memory_key", kMemoryKeys[number]}},
            fmt::format("mem.{}", kMemoryKeys[number])};
  if (counter == ProcessCounter::OomScoreAdj)
    return {"oom_score_adj", "oom_score_adj_thread_fallback", {}, "oom_score_adj"};
  const uint32_t mm = number - static_cast<uint32_t>(ProcessCounter::MmEvent);
  const std::string_view type = kMmTypes[mm / kMmEventMetrics % kMmEventTypes];
  const std::string_view metric = kMmMetrics[mm % kMmEventMetrics];
  return {"mm_event",
          "mm_event_thread_fallback",
          {{"mm_event_type", type}, {"mm_event_metric", metric}},
          fmt::format("mem.mm.{}.{}", type, metric)};
}

}  // namespace

uint32_t ProcessCounters::placeholder(const ThreadCounter& counter, uint32_t machine,
                                      uint32_t clock) {
  const auto next = static_cast<uint32_t>(wanted_.size());
  const auto [at, is_new] = indexes_.try_emplace(counter, next);
  if (is_new) wanted_.push_back({counter, machine, clock});
  Wanted& wanted = wanted_[at->second];
  wanted.clock = Tracks::joined_clock(wanted.clock, clock);
  return kWanted | at->second;
}

void ProcessCounters::resolve(const Identity& identity,
                              absl::FunctionRef<uint32_t(const ProcessCounterTrack&)> row_of) {
  if (wanted_.empty()) return;
  std::vector<uint32_t> rows;
  rows.reserve(wanted_.size());
  for (const Wanted& wanted : wanted_) {
    const Shown what = shown(wanted.counter.counter);
    const uint32_t upid = identity.process_of_thread(wanted.counter.utid);
    const bool is_known = upid != OptRow::kNull;
    const TrackKind kind = counter_kind(is_known ? what.type : what.fallback_type,
                                        is_known ? TrackScope::Process : TrackScope::Thread);
    rows.push_back(
        row_of({wanted.machine, wanted.counter.file, kind, is_known ? upid : wanted.counter.utid,
                what.dims, what.name, wanted.clock}));
  }
  PackedColumn<uint32_t>& tracks = counters_.track_id;
  for (size_t i = 0; i < tracks.size(); ++i)
    if ((tracks[i] & kWanted) != 0) tracks.at(i) = rows[tracks[i] & ~kWanted];
}

}  // namespace tracebraid
