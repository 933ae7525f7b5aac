// Steady clocks: readings of wall clocks that were set or slewed become readings of a clock of the
// same machine that never is, as snapshots of the file relate the two (spec alignment 9). Clocks
// are then fitted as if the wall clock had run evenly.
//
// Input: what recordings noted, and the snapshots of their files. Called by content.h when the
// content was read.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "clock/reach.h"
#include "merge/align/collectives.h"
#include "merge/align/flows.h"
#include "merge/align/markers.h"
#include "merge/align/program.h"
#include "merge/align/spans.h"
#include "merge/align/texts.h"
#include "merge/locate/clocks.h"

namespace tracebraid::align {

// Converts readings of a wall clock to those of a steady clock, along the lines between snapshots.
class SteadyMap {
 public:
  // `observations`: from the wall clock to the steady one, in order of time.
  explicit SteadyMap(std::span<const Observation> observations);

  // Whether the wall clock left the line between the first and the last observation.
  bool was_adjusted() const { return was_adjusted_; }
  // Returns nothing for readings that the wall clock showed twice, or while it was set, and for
  // those before the first and after the last observation.
  std::optional<int64_t> convert(int64_t reading) const;

 private:
  // Readings from `begin` to the next piece, in the interval after observation `from`.
  struct Piece {
    int64_t begin;
    size_t from;  // kNoLine: refused
  };
  static constexpr size_t kNoLine = ~size_t{0};

  std::vector<Observation> observations_;
  std::vector<Piece> pieces_;  // sorted
  bool was_adjusted_ = false;
};

// Convert what recordings noted in wall clocks that were adjusted. What was noted while a clock was
// set is dropped. A recording of which more than half would be dropped remains unchanged.
void take_out_steps(const Trackers& trackers, FlowMoments& all);
void take_out_steps(const Trackers& trackers, ServiceSpans& all);
void take_out_steps(const Trackers& trackers, UserMarkers& all);
void take_out_steps(const Trackers& trackers, LogTexts& all);
void take_out_steps(const Trackers& trackers, std::vector<ProgramRecording>& all);
void take_out_steps(const Trackers& trackers, std::vector<RankRecording>& all);

}  // namespace tracebraid::align
