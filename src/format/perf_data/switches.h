// Context switches that perf records without a tracepoint (perf record --switch-events), and what
// it says of traces of hardware.
#pragma once

#include <map>

#include "event/sink.h"
#include "format/perf_data/records.h"

namespace tracebraid::perf_data {

// SWITCH_CPU_WIDE as scheduling. False if it is another record, or says nothing that others do not:
// when a thread comes (when the one before it goes, it is named), in a file with sched_switch.
bool write_switch(const Record& record, const Header& header, int64_t time, uint32_t clock,
                  EventSink& sink);

// Losses of the buffers for traces of hardware. The traces themselves are not read.
class AuxLosses {
 public:
  void note(const Record& record, const Header& header, EventSink& sink);

 private:
  std::map<uint32_t, uint64_t> ends_;  // of what was recorded, by CPU
};

}  // namespace tracebraid::perf_data
