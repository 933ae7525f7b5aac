#include "export/trace_json/flows.h"

#include <algorithm>

namespace tracebraid {
namespace {

bool is_written(const Store& store, const Selection& selection, uint32_t slice) {
  const int64_t ts = store.slices.ts[slice];
  return selection.takes_time(ts, store.slices.dur[slice]) &&
         (selection.timeline == nullptr || selection.timeline->at(ts));
}

}  // namespace

ChosenFlows choose_flows(const Store& store, const Places& places, const Selection& selection) {
  ChosenFlows chosen;
  const FlowTable& flows = store.flows;
  for (uint32_t row = 0; row < flows.rows(); ++row) {
    const uint32_t from = flows.slice_out[row], to = flows.slice_in[row];
    const TrackForm start = places.tracks[store.slices.track_id[from]].form;
    const TrackForm finish = places.tracks[store.slices.track_id[to]].form;
    if (start == TrackForm::Skipped || finish == TrackForm::Skipped) continue;
    if (!is_written(store, selection, from) || !is_written(store, selection, to)) continue;
    if (start == TrackForm::Async || finish == TrackForm::Async)
      ++chosen.skipped;
    else
      chosen.starts.flows.push_back(row);
  }
  chosen.finishes = chosen.starts;
  const auto slice_out = [&](uint32_t row) { return flows.slice_out[row]; };
  const auto slice_in = [&](uint32_t row) { return flows.slice_in[row]; };
  std::ranges::sort(chosen.starts.flows, {},
                    [&](uint32_t row) { return std::pair(slice_out(row), row); });
  std::ranges::sort(chosen.finishes.flows, {},
                    [&](uint32_t row) { return std::pair(slice_in(row), row); });
  return chosen;
}

}  // namespace tracebraid
