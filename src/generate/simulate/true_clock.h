// TrueClock: what a clock shows, as a function of true time, which nobody in
// the simulated world knows.
#pragma once

#include <cstdint>
#include <vector>

#include "generate/random.h"

namespace tracebraid::generate {

// All times are ns; true time starts at 0.
struct ClockFaults {
  int64_t offset_ns = 0;  // what it shows at 0
  double drift_ppm = 0;   // how much faster than true time it runs
  double wander_ppm = 0;  // standard deviation of the change of its drift in a second
  struct Step {
    int64_t at, by_ns;
  };
  struct Slew {
    int64_t from, to;
    double ppm;
  };
  struct Pause {  // it stands still
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
  std::vector<double> gained_;  // by drift and wander, ns, at each second
};

// Between 0 and 1.
double fraction(Random& random);
// Mean 0, standard deviation 1.
double normal(Random& random);
// Durations of which most are short; the mean is given.
int64_t exponential(Random& random, double mean_ns);

}  // namespace tracebraid::generate
