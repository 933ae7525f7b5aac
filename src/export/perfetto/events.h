// Events on tracks: slices with their flows, counters and states as TrackEvents.
#pragma once

#include <memory>
#include <vector>

#include "export/perfetto/args.h"
#include "export/perfetto/descriptors.h"
#include "export/perfetto/flows.h"

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
  // A slice that is around what comes next on its track.
  struct Open {
    uint32_t row;
    bool is_instant;
    bool must_be_named;  // its end comes before that of a slice within
  };
  using Stack = std::vector<Open>;
  struct SliceCallstack {
    uint32_t slice, row;  // of track_event_callstacks
  };

  void write_slice(uint32_t row, std::span<const FlowMark> flows);
  void write_begin(uint32_t row, bool is_instant, std::span<const FlowMark> flows);
  void write_end(uint32_t row, bool is_named);
  void close(Stack& stack);
  // The callstack that a slice has at one of its ends.
  void add_callstack(uint32_t row, bool is_end, protozero::pbf_writer& event);
  void add_own_times(uint32_t row, bool is_end, bool is_instant);
  void add_own_flows(std::span<const FlowMark> flows);
  // What add_own...() noted.
  void write_own(protozero::pbf_writer& event);
  void write_state(uint32_t track, int64_t ts, uint32_t row, bool is_end);
  // The packet of `event_`, with what it is the first to name.
  void write_packet(uint32_t track, int64_t ts);
  Interned& interned(uint32_t track) { return interned_[store_.tracks.machine_id[track]]; }

  const Store& store_;
  const Selection& selection_;
  const Machines& machines_;
  const Descriptors& descriptors_;
  PacketFile& file_;
  std::vector<Interned> interned_;          // by machine
  std::vector<Stack> open_;                 // by track
  std::vector<SliceCallstack> callstacks_;  // by slice
  std::vector<bool> holds_others_;          // by row of slice
  std::string event_;                       // the TrackEvent that is being made
  std::string own_;                         // what is in our field of it
  uint64_t rows_ = 0;
};

}  // namespace tracebraid::perfetto
