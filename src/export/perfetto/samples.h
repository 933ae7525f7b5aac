// Samples with their callstacks, as PerfSample packets.
#pragma once

#include "export/perfetto/descriptors.h"

namespace tracebraid::perfetto {

// Samples of a thread or process that is taken. Frames, mappings and callstacks are interned, once
// for each machine.
Result<> write_samples(const Store& store, const Selection& selection, const Machines& machines,
                       const Descriptors& descriptors, PacketFile& file);

}  // namespace tracebraid::perfetto
