// Dispatch: passes an event to its stage, by kind.
#pragma once

#include <span>

#include "assemble/flows/flow_stage.h"
#include "assemble/identity/life_stage.h"
#include "assemble/json/rows.h"
#include "assemble/kernel/kernel.h"
#include "assemble/placed_event.h"
#include "assemble/rows/plain_tables.h"
#include "assemble/rows/row_stage.h"
#include "assemble/samples/heap_graphs.h"
#include "assemble/samples/samples.h"
#include "assemble/scheduling/sched.h"
#include "assemble/slices/slice_stage.h"

namespace tracebraid {

// The stages for events, and the two that map the owners of events.
struct Stages {
  Identity& identity;
  Tracks& tracks;
  LifeStage& lives;
  SliceStage& slices;
  FlowStage& flows;
  RowStage& rows;
  Sched& sched;
  Kernel& kernel;
  PlainTables& plain_tables;
  Samples& samples;
  HeapGraphs& heap_graphs;
  JsonRows& json_rows;
};

// Adds the event to the tables. Frees aggregate samples of `batches` after use.
void dispatch(const PlacedEvent& at, const Stages& stages, std::span<PlacedBatch> batches);

}  // namespace tracebraid
