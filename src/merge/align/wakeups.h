// Wakeups: one recording of a kernel wakes what runs in another recording of it (spec alignment
// 3.6).
//
// A thread is woken after it has gone to sleep and before it runs. A call of binder is received
// after it was sent; the kernel numbers the calls.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "merge/align/flows.h"

namespace tracebraid::align {

struct Waking {
  uint32_t recording = 0;
  int64_t tid = 0;
  int64_t at = 0;  // reading, ns
};
// A thread that slept and then ran.
struct WokenRun {
  uint32_t recording = 0;
  int64_t tid = 0;
  int64_t slept_at = 0, ran_at = 0;  // readings, ns
};

struct Wakeups {
  std::vector<Recording> recordings;  // in order of files
  std::vector<FlowMoment> calls;      // of binder
  // Wakings of recordings without task switches only.
  std::vector<Waking> wakings;
  std::vector<WokenRun> runs;
};

// Returns the wakeups of recordings. At most 262144 wakings and runs of a recording; of more, those
// of every n-th thread.
Wakeups read_wakeups(std::span<const FileToLocate> files, const Trackers& trackers);

// Links of recordings of one kernel, and pairs of recordings whose wakings fit no place, or more
// than one.
struct WakeupLinks {
  CauseLinks links;
  std::set<std::pair<uint32_t, uint32_t>> by_threads;  // pairs of recordings with wakings and runs
  std::vector<MatchSet> refused;
};
WakeupLinks link_wakeups(const Wakeups& all, const Trackers& trackers);

}  // namespace tracebraid::align
