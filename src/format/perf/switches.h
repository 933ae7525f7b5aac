// Context switches that perf records without a tracepoint (perf record --switch-events), and losses
// of hardware traces.
#pragma once

#include <map>
#include <optional>

#include "event/make_event.h"
#include "event/sink.h"
#include "format/perf/records.h"

namespace tracebraid::perf {

// Emits SWITCH_CPU_WIDE as scheduling. Returns false for other records, and for redundant ones:
// those of a thread that comes (the record of the thread that goes names it), in a file with
// sched_switch.
bool write_switch(const Record& record, const Header& header, int64_t time, uint32_t clock,
                  EventSink& sink);

// SWITCH, of recordings of single threads: the records do not name the previous or next thread, so
// only the states of each thread are known, not the threads on a CPU.
class ThreadSwitches {
 public:
  // Returns false for a redundant record.
  bool note(const Record& record, const Header& header, int64_t time, uint32_t clock,
            EventSink& sink);
  // Emits states that last until the end.
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

// Losses of the buffers for hardware traces. The traces themselves are not read.
class AuxLosses {
 public:
  void note(const Record& record, const Header& header, EventSink& sink);

 private:
  std::map<uint32_t, uint64_t> ends_;  // ends of the recorded data, by CPU
};

}  // namespace tracebraid::perf
