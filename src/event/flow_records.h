// Flows: steps of slices, and what only some flow events have.
#pragma once

#include <cstdint>

#include "base/id.h"
#include "event/names.h"

namespace tracebraid {

// An id that is a text, a callstack.
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
  // An arrow without an id of its own leads from the Anchor to each slice that names it.
  Anchor,
  FromAnchor,
  // Of our own exports: each id is one arrow, from the slice with ArrowOut to the one with ArrowIn,
  // in the order of time. Before ArrowIn may stand its trace id, which is the step's id, and that
  // it leads back.
  ArrowOut,
  ArrowIn,
  ArrowId,
  ArrowBack,
};

struct FlowStep {
  uint64_t id;
  FlowStepKind kind;
  bool last;  // of its event
};

}  // namespace tracebraid
