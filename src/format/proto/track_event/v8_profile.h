// V8 profiles in legacy events of phase P: a tree of nodes and samples that name them, as JSON
// in chunks (spec proto 2.6).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "event/sink.h"
#include "format/proto/clocks.h"

namespace tracebraid::proto {

// One event's chunk of a profile. The profile goes by machine, process and id.
struct V8Chunk {
  uint64_t at = 0;  // offset of the packet in the file
  uint32_t machine = 0;
  int64_t pid = 0, tid = 0;
  uint64_t id = 0;
  std::string json;
};

// Samples of all profiles. Chunks come in the order of the file; a sample is of the thread of its
// chunk. What comes before the chunk with the start time is left out, and counted.
void write_v8_profiles(const std::vector<V8Chunk>& chunks, Clocks& clocks, EventSink& sink);

}  // namespace tracebraid::proto
