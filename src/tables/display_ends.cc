#include "tables/display_ends.h"

#include <algorithm>

#include "base/time.h"

namespace tracebraid {

int64_t end_of_slice(const SliceTable& slices, size_t row) {
  return add(TraceTime{slices.ts[row]}, Duration{std::max<int64_t>(slices.dur[row], 0)})
      .value_or(TraceTime{INT64_MAX})
      .ns;
}

int64_t DisplayEnds::end(size_t row) const {
  return *end(row, [] { return false; });
}

std::optional<int64_t> DisplayEnds::end(size_t row, absl::FunctionRef<bool()> stopped) const {
  const SliceTable& slices = store_.slices;
  if (slices.dur[row] >= 0) return end_of_slice(slices, row);
  const JsonAsyncSliceTable& asyncs = store_.json.async_slices;
  const auto ids = asyncs.slice_id.values();
  const auto at = std::ranges::lower_bound(ids, row);
  if (at != ids.end() && *at == row) {
    const auto async = static_cast<size_t>(at - ids.begin());
    const std::string_view phase = store_.strings.get(asyncs.phase_begin[async]);
    if (phase == "S" || phase == "T") return store_.trace_end;
  }
  if (!found_.load(std::memory_order_acquire)) {
    const std::lock_guard lock(mutex_);
    if (!found_.load(std::memory_order_relaxed) && !find_all(stopped)) return std::nullopt;
  }
  return ends_[slices.track_id[row]];
}

bool DisplayEnds::find_all(absl::FunctionRef<bool()> stopped) const {
  const SliceTable& slices = store_.slices;
  ends_.assign(store_.tracks.rows(), INT64_MIN);
  for (size_t row = 0; row < slices.rows(); ++row) {
    if (stopped()) return false;
    int64_t& last = ends_[slices.track_id[row]];
    last = std::max(last, end_of_slice(slices, row));
  }
  // All tracks of a thread have one end.
  std::vector<int64_t> of_threads(store_.threads.rows(), INT64_MIN);
  for (size_t track = 0; track < ends_.size(); ++track)
    if (const uint32_t utid = store_.tracks.utid[track].row; utid != OptRow::kNull)
      of_threads[utid] = std::max(of_threads[utid], ends_[track]);
  for (size_t track = 0; track < ends_.size(); ++track)
    if (const uint32_t utid = store_.tracks.utid[track].row; utid != OptRow::kNull)
      ends_[track] = of_threads[utid];
  found_.store(true, std::memory_order_release);
  return true;
}

}  // namespace tracebraid
