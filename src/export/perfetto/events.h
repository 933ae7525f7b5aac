// Writes events on tracks as TrackEvents: slices with their flows, counters and states.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "export/perfetto/args.h"
#include "export/perfetto/descriptors.h"
#include "export/perfetto/flows.h"
#include "export/samples.h"

namespace tracebraid::perfetto {

class Events {
 public:
  Events(const Store& store, const Selection& selection, const Machines& machines,
         const Descriptors& descriptors, PacketFile& file);

  Result<> write_slices(const FlowMarks& flows);
  Result<> write_counters();
  Result<> write_states();

  uint64_t rows() const { return rows_; }

 private:
  // An open slice of a track.
  struct Open {
    uint32_t row;
    bool is_instant;
    bool must_be_named;  // whether its end is before the end of a slice inside
    uint32_t lane;
  };
  using Stack = std::vector<Open>;

  void write_slice(uint32_t row, std::span<const FlowMark> flows);
  void write_begin(const Open& open, std::span<const FlowMark> flows);
  void write_end(const Open& open);
  uint32_t lane_of(uint32_t row, const Stack& stack);
  // Adds the track of an event of `row`.
  void add_track(const Open& open, protozero::pbf_writer& event);
  // Returns the uuid of a lane, and describes it at first use.
  uint64_t lane_uuid(uint32_t track, uint32_t lane);
  void close(Stack& stack);
  // Returns the callstack of a slice at its begin or end.
  void add_callstack(uint32_t row, bool is_end, protozero::pbf_writer& event);
  void add_own_times(uint32_t row, bool is_end, bool is_instant);
  void add_own_flows(std::span<const FlowMark> flows);
  // Appends the fields that add_own...() collected.
  void write_own(protozero::pbf_writer& event);
  void write_state(uint32_t track, int64_t ts, uint32_t row, bool is_end);
  // Writes the packet of `event_` with its new interned data.
  void write_packet(uint32_t track, int64_t ts);
  Interned& interned(uint32_t track) { return interned_[store_.tracks.machine_id[track]]; }

  const Store& store_;
  const Selection& selection_;
  const Machines& machines_;
  const Descriptors& descriptors_;
  PacketFile& file_;
  std::vector<Interned> interned_;  // by machine
  std::vector<Stack> open_;         // by track
  // A slice that ends after a slice around it, on a lane of its track: other programs would end it
  // with that slice. Our own reader puts it on the track.
  struct Lane {
    uint64_t uuid = 0;
    int64_t end = std::numeric_limits<int64_t>::min();  // of its slices so far
  };
  std::map<uint32_t, std::vector<Lane>> lanes_;  // by track; without lane 0, the track itself
  SliceCallstacks callstacks_;
  std::vector<bool> holds_others_;  // by row of slice
  std::string event_;               // the current TrackEvent
  std::string own_;                 // content of our own field of the event
  uint64_t rows_ = 0, lanes_described_ = 0;
};

}  // namespace tracebraid::perfetto
