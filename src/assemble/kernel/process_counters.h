// Counters of processes that events of threads give (spec proto 7). The process of a thread may be
// known only at the end, or never. Until then rows of counter have placeholders for tracks.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/functional/function_ref.h>

#include <cstdint>
#include <string>
#include <vector>

#include "assemble/identity/identity.h"
#include "assemble/kernel/track_kind.h"
#include "tables/store.h"

namespace tracebraid {

// The quantity: determines the type of the track, its dimensions and its name.
enum class ProcessCounter : uint32_t {
  RssFile,
  RssAnon,
  Swap,
  RssShmem,
  Unreclaimable,
  UnknownMember,
  DmabufRss,
  OomScoreAdj,
  MmEvent,  // first of several: see mm_event()
};
inline constexpr uint32_t kMmEventTypes = 7, kMmEventMetrics = 3;
// Requires: type < kMmEventTypes, metric < kMmEventMetrics.
constexpr ProcessCounter mm_event(uint32_t type, uint32_t metric) {
  return static_cast<ProcessCounter>(static_cast<uint32_t>(ProcessCounter::MmEvent) +
                                     kMmEventMetrics * type + metric);
}

struct ThreadCounter {
  uint32_t utid;
  ProcessCounter counter;
  FileId file;
  friend bool operator==(const ThreadCounter&, const ThreadCounter&) = default;
  template <class H>
  friend H AbslHashValue(H h, const ThreadCounter& c) {
    return H::combine(std::move(h), c.utid, c.counter, c.file);
  }
};

struct ProcessCounterTrack {
  uint32_t machine;
  FileId file;
  TrackKind kind;
  uint32_t owner;  // row of process, or of thread
  std::vector<Dim> dims;
  std::string name;
  uint32_t clock;  // Tracks::clock() of its events
};

class ProcessCounters {
 public:
  explicit ProcessCounters(CounterTable& counters) : counters_(counters) {}

  // Returns the value for the column track_id of an event until resolve(). `clock` is
  // Tracks::clock() of the event.
  uint32_t placeholder(const ThreadCounter& counter, uint32_t machine, uint32_t clock);
  // Call after the last event. `row_of` returns the row of a track.
  void resolve(const Identity& identity,
               absl::FunctionRef<uint32_t(const ProcessCounterTrack&)> row_of);

 private:
  struct Wanted {
    ThreadCounter counter;
    uint32_t machine, clock;
  };

  CounterTable& counters_;
  absl::flat_hash_map<ThreadCounter, uint32_t> indexes_;  // of wanted_
  std::vector<Wanted> wanted_;                            // in order of first use
};

}  // namespace tracebraid
