// DisplayEnds: the ends that viewers draw for slices that never ended (spec json 9.3).
#pragma once

#include <absl/functional/function_ref.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "tables/store.h"

namespace tracebraid {

// Returns ts + dur of a slice, or ts if it never ended. Saturates.
int64_t end_of_slice(const SliceTable& slices, size_t row);

// Any thread may use it. The store outlives it.
class DisplayEnds {
 public:
  explicit DisplayEnds(const Store& store) : store_(store) {}

  // Returns the end of a slice; of a slice without an end the last time on its thread, or on its
  // track if it is no thread's; of a legacy async slice without an end the end of the trace. The
  // first call for a slice without an end reads all slices.
  int64_t end(size_t row) const;

  // The same, but no value if stopped(), which is called for each slice read, returns true.
  std::optional<int64_t> end(size_t row, absl::FunctionRef<bool()> stopped) const;

 private:
  bool find_all(absl::FunctionRef<bool()> stopped) const;

  const Store& store_;
  mutable std::mutex mutex_;
  mutable std::atomic<bool> found_ = false;
  mutable std::vector<int64_t> ends_;  // by track
};

}  // namespace tracebraid
