// SliceTimes: thread times and instruction counts, which few slices have (spec json 4.2, 4.7, proto
// 2.7).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assemble/slices/end_rule.h"
#include "event/batch.h"
#include "tables/store.h"

namespace tracebraid {

class SliceTimes {
 public:
  // Returns the number of the times of the slice; kNone if the event has none.
  uint32_t note(uint32_t slice, const SliceExtra& extra);
  // `at_end` has the times of the end event; null if it has none.
  void end(uint32_t number, const SliceExtra* at_end, EndRule rule);
  // Element i is the new row of row i of slice.
  void move_slices(std::span<const uint32_t> new_rows);
  // Fills the columns and releases all times.
  void fill(SliceTable& table);

 private:
  struct Times {
    uint32_t row;
    int64_t thread_ts, thread_dur, instruction_count, instruction_delta;  // or kUnset
  };
  std::vector<Times> all_;
};

}  // namespace tracebraid
