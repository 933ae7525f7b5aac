// Profiles: which reader a packet of callstacks, heaps or symbols goes to (spec proto 6.8).
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

// What these readers remember of a file.
struct Profiles {
  SampleReader samples;
  HeapProfileReader heap_profiles;
  HeapGraphReader heap_graphs;
  V8Codes v8_codes;
  // Shards of the processes that were recorded, by machine and writer.
  std::map<std::pair<uint32_t, uint32_t>, PerfDefaults> shards;
};

// False if the packet field is none of these.
bool read_profile_packet(const PacketInfo& packet, uint32_t field, std::string_view message,
                         Profiles& profiles, PacketOutput& out);

// At the end of the file.
void finish_profiles(Profiles& profiles, PacketOutput& out);

}  // namespace tracebraid::proto
