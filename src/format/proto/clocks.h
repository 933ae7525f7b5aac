// Clocks: determines the clock of a packet's time, and collects the relations between the clocks of
// the file. Converts nothing (spec clocks 3.3, 5, 7).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/clock_domain.h"
#include "base/result.h"
#include "event/make_event.h"
#include "event/sink.h"

namespace tracebraid::proto {

// Clock domains (spec clocks 1.3).
inline constexpr uint32_t kFirstSequenceClock = domain::kFirstOfSequence;
inline constexpr uint32_t kLastSequenceClock = domain::kLastOfSequence;
constexpr bool is_sequence_clock(uint32_t domain) {
  return domain >= kFirstSequenceClock && domain <= kLastSequenceClock;
}

// The default clock of packets; domain 0 if none was set.
struct DefaultClock {
  uint32_t domain = 0;
  uint32_t sequence = 0;
};

struct ClockChoice {
  uint32_t domain = 0;
  uint32_t sequence = 0;
  bool by_default = false;
  OnFailure on_failure = OnFailure::Drop;
};

// All clocks of one file.
class Clocks {
 public:
  explicit Clocks(EventSink& sink) : sink_(sink) {}

  // Returns a time in a clock of the machine, and counts a conversion. Differences of incremental
  // clocks are added up to the reading.
  EventTime time(uint32_t machine, const ClockChoice& choice, int64_t ticks);
  // Returns the index of the clock's name, for times that the caller makes, and counts `count`
  // conversions. Returns nothing for an incremental clock.
  std::optional<uint32_t> index(uint32_t machine, const ClockChoice& choice, uint64_t count);
  // Returns the ns of one tick of the clock, as known so far.
  int64_t tick_ns(uint32_t machine, uint32_t domain, uint32_t sequence) const;
  // Returns a trace time without conversion: no clock is known yet.
  EventTime raw(uint32_t machine, int64_t ns);
  // Returns no time: the event gets the latest time of the file before it.
  EventTime latest(uint32_t machine);

  // Handles ClockSnapshot. May set the machine's default clock.
  Result<> snapshot(uint32_t machine, uint32_t sequence, std::string_view message, uint64_t at,
                    DefaultClock& default_clock);
  // Handles a ClockSnapshot with our own field, `own` (recording/own.h). Sets the default clock of
  // the machine to the clock of its events.
  void own_snapshot(uint32_t machine, std::string_view own, uint64_t at,
                    DefaultClock& default_clock);
  // Handles RemoteClockSync of a client machine.
  Result<> remote_sync(uint32_t machine, uint32_t sequence, std::string_view message, uint64_t at);
  // Adds readings of two clocks of one machine at one moment.
  void pair(uint32_t machine, DefaultClock a, int64_t a_ticks, DefaultClock b, int64_t b_ticks,
            uint64_t at);

 private:
  struct Key {
    uint32_t machine, domain, sequence;
    friend bool operator==(Key, Key) = default;
    template <class H>
    friend H AbslHashValue(H h, Key k) {
      return H::combine(std::move(h), k.machine, k.domain, k.sequence);
    }
  };
  struct State {
    Key key;
    // Indexes by default or not, and by OnFailure.
    std::array<uint32_t, 6> names{kNone, kNone, kNone, kNone, kNone, kNone};
    bool was_read = false;
    bool incremental = false;
    int64_t tick_ns = 1;
    int64_t shown = 0;  // reading of an incremental clock at the last event
  };
  struct ReadClock {  // an element of a snapshot
    uint32_t domain = 0;
    int64_t ticks = 0;
    int64_t tick_ns = 1;
    bool incremental = false;
  };

  State& state(Key key);
  uint32_t name(State& state, bool by_default, OnFailure on_failure);
  uint32_t push_name(const ClockName& name);
  int64_t advance(State& state, int64_t ticks);
  Result<> add_reading(uint32_t machine, uint32_t sequence, const ReadClock& read);
  uint64_t& conversions(uint32_t machine);
  Result<uint32_t> read_clocks(std::string_view message, uint32_t machine, uint32_t sequence,
                               Snapshot& snapshot);
  void finish(Snapshot& snapshot);
  void add_own_reading(Key key, bool by_default, int64_t ns);

  EventSink& sink_;
  absl::flat_hash_map<Key, uint32_t> ids_;
  std::vector<State> states_;
  static constexpr size_t kRecent = 64;
  std::array<uint32_t, kRecent> recent_{};  // of states_, by sequence and domain
  std::vector<uint64_t> conversions_;       // by machine
  std::vector<uint32_t> raw_, latest_;      // clock names, by machine
  uint32_t next_ping_group_ = 0;
};

}  // namespace tracebraid::proto
