// Writes heap dumps: Java heaps as HeapGraph packets, dumps of heap profilers as ProfilePackets.
#pragma once

#include <vector>

#include "export/perfetto/clocks.h"
#include "export/perfetto/descriptors.h"
#include "export/perfetto/stacks.h"

namespace tracebraid::perfetto {

// `stacks` as in write_samples(). Times inside packets are readings of MONOTONIC_COARSE.
Result<> write_heap_profiles(const Store& store, const Selection& selection,
                             const Machines& machines, const Clocks& clocks,
                             const Descriptors& descriptors, std::vector<Stacks>& stacks,
                             PacketFile& file);
// Whether a row of heap_graph is the state of a process; a graph may complete it.
bool has_java_state(const Store& store, uint32_t graph);
void write_java_state(const Store& store, uint32_t graph, Writer writer, PacketFile& file);
Result<> write_heap_graphs(const Store& store, const Selection& selection, const Machines& machines,
                           const Descriptors& descriptors, PacketFile& file);

}  // namespace tracebraid::perfetto
