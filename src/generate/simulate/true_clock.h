// TrueClock: the reading of a clock as a function of true time, which no simulated recording
// contains.
#pragma once

#include <cstdint>
#include <vector>

#include "generate/random.h"

namespace tracebraid::generate {

// All times are ns; true time starts at 0.
struct ClockFaults {
  int64_t offset_ns = 0;  // reading at true time 0
  double drift_ppm = 0;   // drift against true time
  double wander_ppm = 0;  // standard deviation of the change of the drift per second
  struct Step {
    int64_t at, by_ns;
  };
  struct Slew {
    int64_t from, to;
    double ppm;
  };
  struct Pause {  // the clock stands still
    int64_t from, to;
  };
  std::vector<Step> steps;
  std::vector<Slew> slews;
  std::vector<Pause> pauses;
};

class TrueClock {
 public:
  TrueClock(const ClockFaults& faults, int64_t duration_ns, Random& random);
  int64_t at(int64_t true_ns) const;

 private:
  ClockFaults faults_;
  std::vector<double> gained_;  // offset by drift and wander at each second, ns
};

// Returns a number between 0 and 1.
double fraction(Random& random);
// Returns a normal random number: mean 0, standard deviation 1.
double normal(Random& random);
// Returns a duration with this mean; most are short.
int64_t exponential(Random& random, double mean_ns);

}  // namespace tracebraid::generate
