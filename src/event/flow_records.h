// Flows: flow steps of slices, and the optional fields of flow events.
#pragma once

#include <cstdint>

#include "base/id.h"
#include "event/names.h"

namespace tracebraid {

// The text id and the callstack of a flow event.
struct FlowExtra {
  StringId text_id;
  uint32_t callsite = kNone;
};

enum class FlowStepKind : uint8_t {
  Flow,         // TrackEvent flow_ids: continues, or starts
  Terminating,  // TrackEvent terminating_flow_ids
  Out,          // bind_id: producer
  Step,
  In,    // bind_id: consumer
  None,  // bind_id without a direction: counted
  // Flows without an id lead from the Anchor to each slice that refers to it.
  Anchor,
  FromAnchor,
  // Used by our own exports: each id is one flow from the slice with ArrowOut to the slice with
  // ArrowIn, in order of time. Steps before ArrowIn may give its trace id and that it leads back in
  // time.
  ArrowOut,
  ArrowIn,
  ArrowId,
  ArrowBack,
  // Event ids of render stages of GPUs. Flows lead from or to all slices with GpuStage and the id,
  // earlier and later ones.
  GpuStage,
  FromGpuStages,
  ToGpuStages,
};

struct FlowStep {
  uint64_t id;
  FlowStepKind kind;
  bool last;  // whether it is the last step of its event
};

}  // namespace tracebraid
