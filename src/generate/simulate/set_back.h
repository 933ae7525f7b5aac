// Recordings of a wall clock that was set back, and the true time of each event: worlds A17 to A19
// of spec alignment 13.
//
// Input: a world and a seed. Output: a recording and true times. Called by
// merge/set_back_test.cc and bench/clock_accuracy.cc.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "generate/simulate/simulation.h"

namespace tracebraid::generate {

enum class SetBackWorld : uint8_t {
  Far,       // A17: once, by more than the trace lasts
  InOrder,   // A18: by 5 to 50 % of the trace; the events are written in the order of time
  Shuffled,  // A18: the same, the events are written in any order
  Several,   // A19: twice back, once forward, with a suspend between
};
inline constexpr SetBackWorld kSetBackWorlds[] = {SetBackWorld::Far, SetBackWorld::InOrder,
                                                  SetBackWorld::Shuffled, SetBackWorld::Several};
std::string_view name_of(SetBackWorld world);

struct SetBackOptions {
  SetBackWorld world = SetBackWorld::Far;
  uint64_t seed = 1;
  int64_t duration_ns = 120'000'000'000;
  uint32_t events = 2000;
};

struct SetBackSimulation {
  Simulation simulation;
  // By event: whether the clock was set between the snapshots before and after it, so that no
  // reading shows on which side of the step the event lies.
  std::vector<bool> is_near_step;
};

// Clocks are read at the start, at the end, and at intervals of 1 to 10 s (A17, A19) or 1 to 5 s
// (A18, where each step is larger than the interval).
SetBackSimulation simulate(const SetBackOptions& options);

}  // namespace tracebraid::generate
