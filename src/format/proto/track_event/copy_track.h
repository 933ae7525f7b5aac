// Copies track names from one batch of a file to another.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>

#include "event/sink.h"

namespace tracebraid::proto {

// Requires: both batches have the same machines, as far as the names use them.
class TrackCopier {
 public:
  TrackCopier(const EventBatch& from, EventSink& to) : from_(from), to_(to) {}

  // Sets the index of the copy of a track; the caller fills the copy.
  void place(uint32_t from, uint32_t to) { copies_.emplace(from, to); }
  // Returns the name of a track with strings of the other batch; copies its parents.
  TrackName name(uint32_t from);

 private:
  uint32_t copy(uint32_t from);
  uint32_t args(uint32_t set);
  StringId string(StringId id) { return id ? to_.string(from_.strings.get(id)) : id; }

  const EventBatch& from_;
  EventSink& to_;
  absl::flat_hash_map<uint32_t, uint32_t> copies_;
};

}  // namespace tracebraid::proto
