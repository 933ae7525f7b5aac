// The timeline of a Trace: the tree of tracks, tiles and single events, without SQL. In: a trace.
// Out: values and frames (timeline/timeline.h lists the rooms behind this door).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/boundary.h"
#include "base/result.h"
#include "base/stop.h"
#include "engine/event_order.h"
#include "engine/trace.h"
#include "timeline/events/event.h"
#include "timeline/search/search.h"
#include "timeline/tiles/tiles.h"
#include "timeline/timeline.h"
#include "timeline/tree/find.h"

namespace tracebraid {

// Immutable and thread-safe. Shares ownership of its trace.
class TraceTimeline {
 public:
  // Makes the lists of rows and the tree, of which it takes about three bytes an event and 10 ms a
  // million of events; uses those of a braid that has them. `memory`: bytes for the columns of
  // tracks, which are made on first use. Calls `on_damaged_index` once, from any thread and maybe
  // later, if those of the braid are damaged, so that they are made. Errors: Cancelled; damage of a
  // braid.
  static Result<std::shared_ptr<const TraceTimeline>> open(
      std::shared_ptr<const Trace> trace, uint64_t memory, const Stop& stop,
      std::function<void()> on_damaged_index = {});

  const Trace& trace() const { return *trace_; }
  // Requires for functions that can throw: called within run().
  const timeline::Timeline& get() const { return timeline_; }
  // Returns what work(timeline) returns, a Result, or the Error for the exception that it throws.
  template <class Work>
  auto run(Work work) const {
    return at_boundary(trace_->broken(), [&] { return work(timeline_); });
  }
  // Returns the text of a string, cut at 1 KiB between code points, and whether it was cut.
  // Requires: id < number_of_strings().
  std::pair<std::string_view, bool> text(uint32_t id) const;
  uint32_t number_of_strings() const;
  // Returns the order of two events. Errors: of EventOrders::order() and run().
  Result<EventOrder> order(EventKey first, EventKey second) const;
  const EventOrders& orders() const { return orders_; }

 private:
  TraceTimeline(std::shared_ptr<const Trace> trace, timeline::TimelineOptions options);

  const std::shared_ptr<const Trace> trace_;
  timeline::Timeline timeline_;
  EventOrders orders_;
};

}  // namespace tracebraid
