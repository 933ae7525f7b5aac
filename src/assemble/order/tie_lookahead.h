// Where the pieces of a file meet: how long does a begin last that stands before a complete
// slice of its time? sort_stream() knows only what lies within one piece.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assemble/placed_batch.h"
#include "event/order.h"
#include "event/tie.h"

namespace tracebraid {

class TieLookahead {
 public:
  explicit TieLookahead(std::span<const PlacedBatch> batches) : batches_(batches) {}

  // Sets `lasts` of the begins among `tied`, events of one file and time in file order, that
  // need it. `next` is what follows them, and `order` gives what follows that.
  void settle(std::vector<TiedEvent>& tied, TimeOrder::Next next, const TimeOrder& order);

 private:
  struct Begin {
    const Event* event;
    TiedEvent* tied;  // null: it comes later
  };
  bool find_contested(std::vector<TiedEvent>& tied);
  void take(const Event& event, TiedEvent* tied);
  bool matters(uint32_t track) const;

  std::span<const PlacedBatch> batches_;
  std::vector<uint32_t> tracks_;         // of contested begins
  std::vector<Begin> open_;              // on these tracks
  size_t contested_ = 0;                 // begins of which the end is not known
  int64_t until_ = 0;                    // a later end makes no difference
  uint64_t budget_ = uint64_t{1} << 24;  // events to look at, in all
};

}  // namespace tracebraid
