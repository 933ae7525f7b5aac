// Flows: causes in one recording and effects in the other (spec alignment 3.2).
//
// A flow event happens at its own time. A flow step of a slice happens when the slice begins if the
// flow leaves it, and at the latest when the slice ends if the flow enters it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "event/flow_join.h"
#include "merge/align/causes.h"
#include "merge/align/kinds.h"
#include "merge/locate/clocks.h"

namespace tracebraid::align {

// One end of a flow, or a step between its ends.
struct FlowMoment {
  enum class Role : uint8_t { Start, Step, End };
  uint64_t key = 0;        // of the id and its scope; equal in all recordings
  uint64_t id = 0;         // in the files
  uint32_t recording = 0;  // index
  Role role = Role::Start;
  bool is_global = false;         // the id does not occur by chance
  int64_t cause = 0, effect = 0;  // readings at which it happens as cause and as effect, ns
};

struct FlowMoments {
  std::vector<Recording> recordings;  // in order of files
  std::vector<FlowMoment> moments;
};

// Returns the moments of all flows that join files (event/flow_join.h). Slices that have no end in
// their batch are left out.
FlowMoments read_flows(std::span<const FileToLocate> files, const Trackers& trackers,
                       const EventKinds& kinds, JoinFlows join);

// Pairs the start of each flow with its steps and end in other recordings, and steps with the end.
// Flows with several starts or ends, or more than 16 steps, are left out, and links within one
// machine of one file.
CauseLinks link_flows(const FlowMoments& flows);

}  // namespace tracebraid::align
