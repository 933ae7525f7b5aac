// Dumps of heaps: Java heaps as HeapGraph packets, those of heap profilers as ProfilePackets.
#pragma once

#include <vector>

#include "export/perfetto/descriptors.h"
#include "export/perfetto/stacks.h"

namespace tracebraid::perfetto {

// `stacks`: as of write_samples(). Times within are readings of MONOTONIC_COARSE.
Result<> write_heap_profiles(const Session& session, const Selection& selection,
                             const Machines& machines, std::vector<Stacks>& stacks,
                             PacketFile& file);
Result<> write_heap_graphs(const Store& store, const Selection& selection, const Machines& machines,
                           PacketFile& file);

}  // namespace tracebraid::perfetto
