// RowSpan: the readings between which the events of a batch make rows of tables that count for the
// bounds of a trace (spec clocks 9.3), for finding the bounds again after the events were released.
//
// Input: a batch. Output: the trace times of these readings. Called by merge/staged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "clock/placement.h"
#include "event/batch.h"
#include "merge/locate/located.h"
#include "merge/place/place_count.h"

namespace tracebraid {

// Of the events of one clock.
struct RowSpan {
  struct Lasting {
    int64_t ticks;
    int64_t dur;  // ns
  };
  std::optional<int64_t> first, last;  // ticks; of rows, and of rows and ends of slices
  // The events that may end last, wherever the clock is placed: no other one both begins later and
  // lasts as long. In the order of their readings.
  std::vector<Lasting> lasting;
};

struct TraceBounds {
  int64_t start = 0, end = 0;  // ns
};

// Returns the spans by clock of the batch.
std::vector<RowSpan> row_spans(const EventBatch& batch);
size_t rows_memory(std::span<const RowSpan> spans);

// Extends the bounds by the rows of a batch. `counts` are those of placing it.
void include_rows(std::span<const RowSpan> spans, std::span<const ClockPlace> clocks,
                  const Placement& placement, const PlacingRules& rules,
                  std::span<const PlaceCount> counts, std::optional<TraceBounds>& bounds);

}  // namespace tracebraid
