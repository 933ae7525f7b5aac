// Matches the events of one program in two recordings by their names and order (spec alignment 3.7,
// 4.3, 4.4), and proves that no other place fits as well. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/id.h"
#include "merge/align/constraint.h"
#include "merge/align/equal.h"
#include "merge/align/verdict.h"

namespace tracebraid::align {

// An event of a thread. The symbol is equal in all recordings of the thread.
struct NamedEvent {
  uint64_t symbol = 0;
  int64_t at = 0;  // reading, ns
  uint32_t thread = 0;
  // The batch and the string of its name, for reports.
  uint32_t batch = 0;
  StringId name = {};
};

struct NamedOptions {
  int64_t floor_ns = 5'000;            // least tolerance
  int64_t most_tolerance_ns = 50'000;  // two runs of one program agree less
  size_t fewest = 20;                  // matches
  double least_noise = 1e-4;           // of each step, in two runs of one program
};

struct NamedFit {
  struct Pair {
    uint32_t a, b;  // indexes of the events
  };
  Reason reason = Reason::None;  // why there is no fit
  Bases bases;
  std::vector<Pair> pairs;   // sorted by reading of a
  EqualFit fit;              // of the pairs; its own reason if that is the one
  double surprise_bits = 0;  // of the events that the fit explains, beyond their order
  // Distance of the places that fit nearly as well, and their number.
  std::optional<int64_t> alias_period_ns;
  int64_t alias_count = 0;
  size_t candidates = 0;  // events whose name both recordings have, of the one that has fewer
};

// Refuses (Reason): TooFew if nothing identifies enough moments; Aliased if events repeat so that
// other places fit; NotSame if the times are those of another run: they agree no better than what
// the names alone predict, or the distance between the recordings wanders as it does between runs.
// Requires: events are sorted by reading. `first`, `last`: readings of a for which the fit must
// hold.
NamedFit fit_named(std::span<const NamedEvent> a, std::span<const NamedEvent> b, int64_t first,
                   int64_t last, const NamedOptions& options = {});

// Whether steps of one type, from one moment to the next, take longer and shorter in both
// recordings alike, which those of two runs do not: readings of A and B of the same moments, in
// order, and the types of the steps between them (0: none). Returns false if too few steps repeat
// to tell. Requires: as many readings of B as of A, and one type less.
bool are_steps_surprising(std::span<const int64_t> a, std::span<const int64_t> b,
                          std::span<const uint64_t> types);

// Whether the distance between two recordings changes more over many moments than over a few, as
// that of two runs does, or whether the moments are too few to show it. Two recorders of one
// machine share its oscillator. `rate`: of the line through the moments. `least_noise`: of the time
// from moment to moment, in two runs; 64 moments and more must show it. Requires: sorted by x.
bool may_wander(std::span<const Moment> moments, double rate, double least_noise);

// Whether the steps of two recordings are equal within the resolution of their readings. Two
// recorders read their clocks at different moments, but the runs of a simulation repeat its times.
// Requires: readings of the same moments, in order.
bool are_exact_copies(std::span<const int64_t> a, std::span<const int64_t> b, double rate);

}  // namespace tracebraid::align
