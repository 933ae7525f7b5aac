// compact_sched: switches and wakings of a CPU, column by column (spec proto 5.3).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "event/make_event.h"
#include "event/sched_events.h"
#include "event/sink.h"

namespace tracebraid::proto {

// The columns of a compact bundle. Times are differences.
struct CompactSched {
  std::vector<StringId> comms;
  std::vector<uint64_t> switch_times, prev_states, next_pids, next_prios, next_comms;
  std::vector<uint64_t> waking_times, waking_pids, target_cpus, waking_prios, waking_comms,
      waking_flags;
  // Returns false if the bytes are damaged.
  bool read(std::string_view message, EventSink& sink);
};

// Returns the number of events, if none of them is damaged.
uint64_t count_compact_sched(std::string_view message);

// Data that the records of a batch share, each stored once.
class SchedNotes {
 public:
  explicit SchedNotes(EventBatch& batch) : batch_(batch) {}
  uint32_t task(const SchedTask& task);
  uint32_t fact(const SchedFact& fact);

 private:
  template <class T>
  class Numbers {
   public:
    // Returns the index of an equal value in the list, and appends the value if there is none.
    // `hash` need not be good.
    uint32_t of(const T& value, uint64_t hash, std::vector<T>& list);

   private:
    static constexpr size_t kNear = 4096;
    // The last value of each hash, and all values.
    std::vector<uint32_t> near_ = std::vector<uint32_t>(kNear, kNone);
    absl::flat_hash_map<T, uint32_t> all_;
  };

  EventBatch& batch_;
  Numbers<SchedTask> tasks_;
  Numbers<SchedFact> facts_;
};

class CompactSchedReader {
 public:
  struct At {
    uint32_t machine = 0, cpu = 0;
    uint64_t at = 0;  // offset in the file
  };
  static uint32_t stream_rank(uint32_t cpu) { return 1 + cpu; }
  // time_of(ticks) returns the EventTime.
  template <class TimeOf>
  void read(const At& at, std::string_view message, TimeOf time_of, EventSink& sink) {
    const uint32_t rank = stream_rank(at.cpu);
    read_columns(at, message, sink);
    for_each(
        [&](size_t i) {
          const EventTime time = time_of(time_in(columns_.switch_times, i));
          const SchedFact fact = switch_fact(i, at.cpu, time.clock);
          sink.event(sched_event(next_task(i), fact, time.ticks), rank);
        },
        [&](size_t i) {
          const EventTime time = time_of(time_in(columns_.waking_times, i));
          const SchedFact fact = waking_fact(i, at.cpu, time.clock);
          sink.event(sched_event(woken_task(i), fact, time.ticks), rank);
        });
  }
  // Reads the events as records.
  void read_records(const At& at, std::string_view message, uint32_t clock, SchedNotes& notes,
                    std::vector<SchedRecord>& records, EventSink& sink);

 private:
  void read_columns(const At& at, std::string_view message, EventSink& sink);
  static int64_t time_in(const std::vector<uint64_t>& times, size_t row) {
    return static_cast<int64_t>(times[row]);
  }
  // Visits all rows in the order of the file; in order of time if times increase.
  template <class OnSwitch, class OnWaking>
  void for_each(OnSwitch on_switch, OnWaking on_waking) const {
    size_t waking = 0;
    for (size_t i = 0; i < switches_; ++i) {
      const int64_t time = time_in(columns_.switch_times, i);
      for (; rises_ && waking < wakings_ && time_in(columns_.waking_times, waking) < time; ++waking)
        on_waking(waking);
      on_switch(i);
    }
    for (; waking < wakings_; ++waking) on_waking(waking);
  }
  SchedTask next_task(size_t row) const;
  SchedTask woken_task(size_t row) const;
  SchedFact switch_fact(size_t row, uint32_t cpu, uint32_t clock) const;
  SchedFact waking_fact(size_t row, uint32_t cpu, uint32_t clock) const;

  CompactSched columns_;  // scratch
  // Complete rows; whether times increase: then events are visited in order of time, switches
  // before wakings, as they will be sorted.
  size_t switches_ = 0, wakings_ = 0;
  bool rises_ = false;
};

}  // namespace tracebraid::proto
