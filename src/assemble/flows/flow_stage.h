// FlowStage: flow events. Passes them to the flows of their format.
#pragma once

#include "assemble/flows/flows.h"
#include "assemble/flows/json_flows.h"
#include "assemble/placed_event.h"
#include "assemble/samples/stacks.h"
#include "assemble/slices/slices.h"
#include "assemble/tracks/tracks.h"

namespace tracebraid {

struct FlowStage {
  Tracks& tracks;
  Slices& slices;
  Stacks& stacks;
  Flows& flows;
  JsonFlows& json_flows;

  // An event of any kind of flow event.
  void add(const PlacedEvent& at);
};

}  // namespace tracebraid
