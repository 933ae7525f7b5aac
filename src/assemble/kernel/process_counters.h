// Counters of processes that threads state (spec proto 7): which process a thread is of may
// be known only at the end, and for some never.
#pragma once

#include <string_view>

#include "assemble/kernel/kernel.h"

namespace tracebraid {

// What is counted: the track's type, its dimensions, and its name.
enum class ProcessCounter : uint32_t {
  RssFile,
  RssAnon,
  Swap,
  RssShmem,
  Unreclaimable,
  UnknownMember,
  DmabufRss,
  OomScoreAdj,
  MmEvent,  // + 3 * type + metric
};
constexpr uint32_t kMmEventTypes = 7, kMmEventMetrics = 3;

// A value of the thread's process, at the time of the event.
void add_process_counter(Kernel& k, const KernelEvent& e, uint32_t utid, uint32_t kind,
                         double value, ArgSource args = {});
inline void add_process_counter(Kernel& k, const KernelEvent& e, uint32_t utid, ProcessCounter kind,
                                double value, ArgSource args = {}) {
  add_process_counter(k, e, utid, static_cast<uint32_t>(kind), value, args);
}

}  // namespace tracebraid
