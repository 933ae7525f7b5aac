// SliceStage: events that begin, end or are slices, and flow events. Makes rows of slice, and
// passes flows, callstacks and JSON records of these events to their builders.
#pragma once

#include "assemble/flows/flows.h"
#include "assemble/flows/json_flows.h"
#include "assemble/json/rows.h"
#include "assemble/placed_event.h"
#include "assemble/samples/stacks.h"
#include "assemble/slices/async_steps.h"
#include "assemble/slices/slice_stacks.h"
#include "assemble/slices/slices.h"
#include "assemble/tracks/tracks.h"

namespace tracebraid {

struct SliceStage {
  DeferredArgs& args;
  Tracks& tracks;
  Slices& slices;
  AsyncSteps& steps;
  Flows& flows;
  JsonFlows& json_flows;
  Stacks& stacks;
  SliceStacks& slice_stacks;
  JsonRows& json_rows;
  Problems& problems;
  Store& store;

  // Each function handles events of one kind.
  void begin(const PlacedEvent& at);
  void end(const PlacedEvent& at);
  void complete(const PlacedEvent& at);
  void instant(const PlacedEvent& at);
  void begin_once(const PlacedEvent& at);
  void step(const PlacedEvent& at);
  void flow(const PlacedEvent& at);  // handles all kinds of flow events

 private:
  void after_slice(const PlacedEvent& at, uint32_t track_row, uint32_t slice, bool began);
  void log_spill(const PlacedEvent& at, uint32_t around);
};

}  // namespace tracebraid
