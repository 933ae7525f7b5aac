// SliceStage: events that begin, end or are slices. Makes rows of slice; SliceDetails passes on
// what these events carry besides.
#pragma once

#include "assemble/flows/flows.h"
#include "assemble/json/rows.h"
#include "assemble/placed_event.h"
#include "assemble/slices/async_steps.h"
#include "assemble/slices/slice_stacks.h"
#include "assemble/slices/slices.h"
#include "assemble/tracks/tracks.h"

namespace tracebraid {

// Passes the flows, the callstack and the JSON of an event to their builders.
struct SliceDetails {
  Tracks& tracks;
  Flows& flows;
  SliceStacks& slice_stacks;
  JsonRows& json_rows;

  // `slice` is the row that the event began or ended on the track; kNone if there is none.
  void add(const PlacedEvent& at, uint32_t track_row, uint32_t slice, bool began);
};

// Counts slices that overlap others of their track, and logs the first of them.
struct OverlapLog {
  Slices& slices;
  DeferredArgs& args;
  Problems& problems;
  Store& store;

  // The slice of the event moves to a track of its own, because it half overlaps the slice
  // `around`.
  void add_spill(const PlacedEvent& at, const TrackName& track, uint32_t around);
  // The slice of the event is dropped for the same reason.
  void add_dropped(const TrackName& track);
};

struct SliceStage {
  Tracks& tracks;
  Slices& slices;
  AsyncSteps& steps;
  SliceDetails& details;
  OverlapLog& overlaps;
  Problems& problems;

  // Each function handles events of one kind.
  void begin(const PlacedEvent& at);
  void end(const PlacedEvent& at);
  void complete(const PlacedEvent& at);
  void instant(const PlacedEvent& at);
  void begin_once(const PlacedEvent& at);
  void step(const PlacedEvent& at);
};

}  // namespace tracebraid
