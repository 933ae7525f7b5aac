// V8 profiles in legacy events of phase P: a tree of nodes, and samples that refer to them, as
// chunks of JSON (spec proto 2.6).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "event/sink.h"
#include "format/proto/clocks.h"

namespace tracebraid::proto {

// The chunk of a profile in one event. A profile is identified by machine, process and id.
struct V8Chunk {
  uint64_t at = 0;  // offset of the packet in the file
  uint32_t machine = 0;
  int64_t pid = 0, tid = 0;
  uint64_t id = 0;
  std::string json;
};

// Emits the samples of all profiles. Requires: chunks in the order of the file. A sample belongs to
// the thread of its chunk. Chunks before the one with the start time are left out and counted.
void write_v8_profiles(const std::vector<V8Chunk>& chunks, Clocks& clocks, EventSink& sink);

}  // namespace tracebraid::proto
