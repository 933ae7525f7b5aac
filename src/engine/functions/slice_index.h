// Indexes of slices and flows, built once per trace and shared by table functions.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "query/scan/stop_check.h"
#include "tables/store.h"

namespace tracebraid {

// The rows of a table by a number of each row, in order. Takes 4 bytes per row and 4 per number.
class RowsByNumber {
 public:
  // Leaves out numbers from `count` on. Returns nothing if stopped.
  template <class NumberColumn>
  static std::optional<RowsByNumber> of(const NumberColumn& numbers, size_t count,
                                        const StopCheck& stop);
  // Returns an empty span for a number without rows.
  std::span<const uint32_t> rows_of(uint32_t number) const {
    if (number + size_t{1} >= starts_.size()) return {};
    return std::span(rows_).subspan(starts_[number], starts_[number + 1] - starts_[number]);
  }

 private:
  std::vector<uint32_t> starts_;  // number -> first in rows_
  std::vector<uint32_t> rows_;
};

struct SliceIndex {
  RowsByNumber by_track;
  std::span<const uint32_t> slices_of_track(uint32_t track) const {
    return by_track.rows_of(track);
  }
};

struct FlowIndex {
  RowsByNumber by_slice_out, by_slice_in;
  std::span<const uint32_t> flows_out(uint32_t slice) const { return by_slice_out.rows_of(slice); }
  std::span<const uint32_t> flows_in(uint32_t slice) const { return by_slice_in.rows_of(slice); }
};

// Builds each index on first use. Thread-safe; other threads wait for the one that builds, unless
// stopped.
class SliceIndexes {
 public:
  explicit SliceIndexes(const Store& store) : store_(store) {}
  // Return null if stopped. `stop` may be null.
  const SliceIndex* tracks(const StopCheck* stop);
  const FlowIndex* flows(const StopCheck* stop);

 private:
  const Store& store_;
  std::timed_mutex mutex_;
  std::optional<SliceIndex> tracks_;  // written under the mutex, before tracks_built_
  std::optional<FlowIndex> flows_;
  std::atomic<bool> tracks_built_ = false, flows_built_ = false;
};

}  // namespace tracebraid
