// Reduces counter samples and slices to one row for each step of time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/scan/stop_check.h"

namespace tracebraid {

// The steps [start + k * step, start + (k + 1) * step) that begin before `end`.
struct TimeSteps {
  int64_t start, end, step;
};

struct CounterSample {
  int64_t ts;
  double value;
};
struct CounterStep {
  double min, max;
  int64_t last_ts;
  double last_value;
};
// Appends a row for each step with samples. The first step has the last sample before it, too.
// Requires: `samples` is sorted by ts. Returns false if stopped.
bool reduce_counter(std::span<const CounterSample> samples, const TimeSteps& steps,
                    const StopCheck& stop, std::vector<CounterStep>& rows);

struct MipmapSlice {
  int64_t ts, dur;  // a negative dur never ends
  uint32_t id, depth;
};
struct SliceStep {
  MipmapSlice longest;  // the earliest of those
  int64_t count;
};
// Appends a row for each step with slices. The first step has a slice that begins before it and
// reaches into it, too. Requires: `slices` are of one depth and sorted by ts. Returns false if
// stopped.
bool reduce_slices(std::span<const MipmapSlice> slices, const TimeSteps& steps,
                   const StopCheck& stop, std::vector<SliceStep>& rows);

}  // namespace tracebraid
