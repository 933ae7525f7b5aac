// Profiles: dispatches packets of callstacks, heaps and symbols to their readers (spec proto 6.8).
//
// Input: packets of profilers. Output: records of event/stacks.h, samples and heap dumps. Called by
// Reader.
#pragma once

#include <map>

#include "format/proto/profile/heap_graph.h"
#include "format/proto/profile/heap_profile.h"
#include "format/proto/profile/samples.h"
#include "format/proto/profile/v8_code.h"

namespace tracebraid::proto {

// The state of these readers.
struct Profiles {
  SampleReader samples;
  HeapProfileReader heap_profiles;
  HeapGraphReader heap_graphs;
  V8Codes v8_codes;
  // Defaults of shards of recorded processes, by machine and writer.
  std::map<std::pair<uint32_t, uint32_t>, PerfDefaults> shards;
};

// Returns false for another packet field.
bool read_profile_packet(const PacketInfo& packet, uint32_t field, std::string_view message,
                         Profiles& profiles, PacketOutput& out);

// Call at the end of the file.
void finish_profiles(Profiles& profiles, PacketOutput& out);

}  // namespace tracebraid::proto
