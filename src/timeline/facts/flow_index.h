// FlowIndex: the ends of all flows in order of time, of the whole trace and of each track.
//
// In: tables of flows, violations and slices. Out: flows with an end in a window. Called by
// timeline/tiles and timeline/events.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tables/store.h"

namespace tracebraid::timeline {

// The arrow of a flow: from the time of its start in the outgoing slice to that of its end in the
// incoming one, if the trace has these times (args `start_ts`, `end_ts`). Else from the last moment
// of the outgoing slice before the incoming one begins, to the begin of that. A flow that ends
// before it starts goes from its start to its end.
struct FlowArrow {
  uint32_t out = 0, in = 0;  // rows of slice
  int64_t out_ts = 0, in_ts = 0;
};

// A flow is a row of `flow`. Behind these are the rows of `flow_violation` whose slices no row of
// `flow` connects, because the assembly joins no flow that ends before it starts. Immutable.
class FlowIndex {
 public:
  // Requires: a number of each row of `track`, by which flows are found; a store that outlives the
  // index.
  FlowIndex(const Store& store, std::span<const uint32_t> track_numbers);

  // The number of flows.
  size_t size() const { return store_.flows.rows() + unjoined_.size(); }
  FlowArrow arrow(uint32_t flow) const;

  // Returns the flows with an end in [from, last], in order of rows.
  std::vector<uint32_t> in_window(int64_t from, int64_t last) const;
  std::vector<uint32_t> in_window(uint32_t track, int64_t from, int64_t last) const;
  // Returns the flows of a slice, in order of rows.
  std::vector<uint32_t> of_slice(uint32_t slice) const;
  // Whether clocks contradict the flow.
  bool is_violation(uint32_t flow) const;
  // Returns by how much at least the clocks of a violation are off, ns; nothing for other flows.
  std::optional<int64_t> off_by(uint32_t flow) const;

 private:
  void add(uint32_t flow, std::span<const uint32_t> track_numbers);
  // Returns the value of an integer arg of a row of `flow`.
  std::optional<int64_t> time_of(uint32_t flow, StringId key) const;

  struct End {
    uint32_t track;
    uint32_t flow;
    int64_t ts;
  };
  const Store& store_;
  const StringId start_key_, end_key_;  // null: no args have it
  std::vector<FlowArrow> unjoined_;     // violations that are no rows of `flow`
  std::vector<End> by_time_, by_track_;
  std::vector<std::pair<uint32_t, uint32_t>> by_slice_;   // slice and flow, sorted
  std::vector<std::pair<uint32_t, int64_t>> violations_;  // flow and off_by, sorted
};

}  // namespace tracebraid::timeline
