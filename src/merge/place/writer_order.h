// WriterOrder: chooses between the segments of a clock that was set back, by the order in which a
// writer wrote its events (spec alignment 10).
//
// A writer writes its events in the order of time. Readings that fall by more than the order allows
// show where the clock was set back: what comes before the fall is of the earlier segment. A choice
// counts only if no other choice of segments keeps the events of the writer in order.
//
// Input: the events of one writer, in the order of the file, each with the segments that can have
// shown its reading. Output: the segments of events with several candidates. Called by
// place_by_segments().
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "clock/segment_maps.h"

namespace tracebraid {

class WriterOrder {
 public:
  using Candidate = SegmentMaps::Candidate;
  // An event may be written this much after a later one, ns.
  static constexpr int64_t kSlackNs = 10'000'000;

  struct Choice {
    uint32_t event;  // as in add()
    uint32_t segment;
  };

  // Requires: the candidates are in order of time, and segments are below 64.
  void add(uint32_t event, std::span<const Candidate> candidates);
  // Decides on the last events. Call once, after the last add().
  void finish();

  const std::vector<Choice>& choices() const { return choices_; }
  // The number of events with one candidate, and of those among them that are in order of time.
  // They show whether the writer keeps the order.
  size_t certain() const { return certain_; }
  size_t in_order() const { return in_order_; }

 private:
  struct Pending {
    uint32_t event;
    std::vector<Candidate> candidates;
  };
  void decide(const Candidate* next);

  std::optional<Candidate> before_;  // the latest event with one candidate
  std::vector<Pending> pending_;     // the events after it
  std::vector<Choice> choices_;
  size_t certain_ = 0, in_order_ = 0;
};

}  // namespace tracebraid
