// Samples with their callstacks, as PerfSample packets.
#pragma once

#include <vector>

#include "export/perfetto/descriptors.h"
#include "export/perfetto/stacks.h"

namespace tracebraid::perfetto {

// Samples of a thread or process that is taken. `stacks`, one for each machine, is what its samples
// writer has named so far.
Result<> write_samples(const Store& store, const Selection& selection, const Machines& machines,
                       const Descriptors& descriptors, std::vector<Stacks>& stacks,
                       PacketFile& file);

}  // namespace tracebraid::perfetto
