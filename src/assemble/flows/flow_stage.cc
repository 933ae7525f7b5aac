#include "assemble/flows/flow_stage.h"

namespace tracebraid {

void FlowStage::add(const PlacedEvent& at) {
  const uint32_t row = tracks.instant_row(at.event.track, at.event.name);
  if (row == kNone) return;
  const TrackName& name = tracks.name(at.event.track);
  if (at.from.is_json()) {
    FlowExtra extra;
    if (at.event.extra != kNone) extra = at.from.batch.flow_extras[at.event.extra];
    extra.callsite = stacks.callsite(at.batch, extra.callsite);
    json_flows.add({&at.event, at.batch, row, extra, at.sequence}, name);
  } else {
    flows.legacy(row, slices.top(row), name, at.event);
  }
}

}  // namespace tracebraid
