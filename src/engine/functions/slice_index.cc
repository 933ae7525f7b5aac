#include "engine/functions/slice_index.h"

#include <memory>

namespace tracebraid {

// Counting sort. Leaves out numbers from `count` on.
template <class NumberColumn>
RowsByNumber::RowsByNumber(const NumberColumn& numbers, size_t count) : starts_(count + 1) {
  for (uint32_t row = 0; row < numbers.size(); ++row)
    if (numbers[row] < count) ++starts_[numbers[row] + 1];
  for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  rows_.resize(starts_.back());
  std::vector<uint32_t> next(starts_.begin(), starts_.end() - 1);
  for (uint32_t row = 0; row < numbers.size(); ++row)
    if (numbers[row] < count) rows_[next[numbers[row]]++] = row;
}

const SliceIndex& SliceIndexes::tracks() {
  std::call_once(tracks_built_, [this] {
    tracks_ = std::make_unique<SliceIndex>(
        SliceIndex{RowsByNumber(store_.slices.track_id, store_.tracks.rows())});
  });
  return *tracks_;
}

const FlowIndex& SliceIndexes::flows() {
  std::call_once(flows_built_, [this] {
    const size_t slices = store_.slices.rows();
    flows_ = std::make_unique<FlowIndex>(FlowIndex{RowsByNumber(store_.flows.slice_out, slices),
                                                   RowsByNumber(store_.flows.slice_in, slices)});
  });
  return *flows_;
}

}  // namespace tracebraid
