// Writes samples with their callstacks as PerfSample packets.
#pragma once

#include <vector>

#include "export/perfetto/descriptors.h"
#include "export/perfetto/stacks.h"

namespace tracebraid::perfetto {

// Writes the samples of selected threads and processes. `stacks` has the interned data of the
// sequence of samples, one per machine.
Result<> write_samples(const Store& store, const Selection& selection, const Machines& machines,
                       const Descriptors& descriptors, std::vector<Stacks>& stacks,
                       PacketFile& file);

}  // namespace tracebraid::perfetto
