// Context switches that perf records without a tracepoint (perf record --switch-events), and what
// it says of traces of hardware.
#pragma once

#include <map>
#include <optional>

#include "event/make_event.h"
#include "event/sink.h"
#include "format/perf/records.h"

namespace tracebraid::perf {

// SWITCH_CPU_WIDE as scheduling. False if it is another record, or says nothing that others do not:
// when a thread comes (when the one before it goes, it is named), in a file with sched_switch.
bool write_switch(const Record& record, const Header& header, int64_t time, uint32_t clock,
                  EventSink& sink);

// SWITCH, of recordings of single threads: who came before or comes next is not said, so there is
// no telling what a CPU did, only what state each thread was in.
class ThreadSwitches {
 public:
  // False if it says nothing that others do not.
  bool note(const Record& record, const Header& header, int64_t time, uint32_t clock,
            EventSink& sink);
  // States that last until the end.
  void finish(EventSink& sink);

 private:
  struct State {
    EventTime since;
    uint32_t thread;
    StringId name;
    std::optional<uint32_t> cpu;  // while it runs
  };
  static void write(const State& state, int64_t duration, EventSink& sink);
  std::map<uint32_t, State> states_;  // by tid
};

// Losses of the buffers for traces of hardware. The traces themselves are not read.
class AuxLosses {
 public:
  void note(const Record& record, const Header& header, EventSink& sink);

 private:
  std::map<uint32_t, uint64_t> ends_;  // of what was recorded, by CPU
};

}  // namespace tracebraid::perf
