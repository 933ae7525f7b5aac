// HeldBuffers: the bytes of the Arrow arrays of one trace that consumers have not released.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <mutex>

#include "engine/query.h"

namespace tracebraid::capi {

// Counts each buffer once, however many arrays view it. Thread-safe.
class HeldBuffers {
 public:
  // Adds the buffers of an array, without its children and its dictionary. May throw
  // std::bad_alloc, and adds nothing then.
  void add(const ArrayData& array);
  // Requires: add() was called with the same array.
  void remove(const ArrayData& array) noexcept;
  uint64_t bytes() const;

 private:
  struct Held {
    uint64_t arrays = 0;
    size_t bytes = 0;  // of the longest view: the buffer of a dictionary grows
  };
  mutable std::mutex mutex_;
  uint64_t bytes_ = 0;
  absl::flat_hash_map<const void*, Held> buffers_;  // by owner
};

}  // namespace tracebraid::capi
