// compact_sched: switches and wakings of a CPU, column by column (spec proto 5.3).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "event/sink.h"
#include "format/event_time.h"

namespace tracebraid::proto {

// The columns of a compact bundle. Times are distances.
struct CompactSched {
  std::vector<StringId> comms;
  std::vector<uint64_t> switch_times, prev_states, next_pids, next_prios, next_comms;
  std::vector<uint64_t> waking_times, waking_pids, target_cpus, waking_prios, waking_comms,
      waking_flags;
  // False if the bytes are damaged.
  bool read(std::string_view message, EventSink& sink);
};

// How many events there are, if none of them is damaged.
uint64_t count_compact_sched(std::string_view message);

class CompactSchedReader {
 public:
  struct At {
    uint32_t machine = 0, cpu = 0;
    uint64_t at = 0;  // offset in the file
  };
  static uint32_t stream_rank(uint32_t cpu) { return 1 + cpu; }
  // time_of(ticks) is the EventTime.
  template <class TimeOf>
  void read(const At& at, std::string_view message, TimeOf time_of, EventSink& sink) {
    read_columns(at, message, sink);
    const uint32_t rank = stream_rank(at.cpu);
    size_t waking = 0;
    for (size_t i = 0; i < switches_; ++i) {
      const auto time = static_cast<int64_t>(columns_.switch_times[i]);
      for (; rises_ && waking < wakings_ && waking_time(waking) < time; ++waking)
        sink.event(waking_event(waking, time_of(waking_time(waking)), at.cpu), rank);
      sink.event(switch_event(i, time_of(time), at.cpu), rank);
    }
    for (; waking < wakings_; ++waking)
      sink.event(waking_event(waking, time_of(waking_time(waking)), at.cpu), rank);
  }

 private:
  void read_columns(const At& at, std::string_view message, EventSink& sink);
  int64_t waking_time(size_t row) const { return static_cast<int64_t>(columns_.waking_times[row]); }
  Event switch_event(size_t row, const EventTime& time, uint32_t cpu) const;
  Event waking_event(size_t row, const EventTime& time, uint32_t cpu) const;

  CompactSched columns_;  // scratch
  // Rows that are whole; whether times rise: then events are given in the order of time, as
  // they are to be sorted later, with switches before wakings.
  size_t switches_ = 0, wakings_ = 0;
  bool rises_ = false;
};

}  // namespace tracebraid::proto
