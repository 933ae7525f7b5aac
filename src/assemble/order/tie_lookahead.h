// TieLookahead: finds the duration of a begin before a complete slice of its time, across the
// batches of a file, because sort_stream() sees one batch only.
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

  // Sets `lasts` of the begins that need it among `tied`, events of one file and time in file
  // order. `next` is the event after them, and `order` gives the events after `next`.
  void settle(std::vector<TiedEvent>& tied, TimeOrder::Next next, const TimeOrder& order);

 private:
  struct Begin {
    const Event* event;
    TiedEvent* tied;  // null: a later begin
  };
  bool find_contested(std::vector<TiedEvent>& tied);
  void take(const Event& event, TiedEvent* tied);
  bool matters(uint32_t track) const;

  std::span<const PlacedBatch> batches_;
  std::vector<uint32_t> tracks_;         // of contested begins
  std::vector<Begin> open_;              // on these tracks
  size_t contested_ = 0;                 // number of begins without a known end
  int64_t until_ = 0;                    // later ends make no difference
  uint64_t budget_ = uint64_t{1} << 24;  // limit of events to read in total
};

}  // namespace tracebraid
