// Original names of obfuscated methods in callstacks (spec proto-2 10).
#pragma once

#include <span>

#include "assemble/placed_batch.h"
#include "assemble/problems.h"
#include "tables/store.h"

namespace tracebraid {

// Sets the deobfuscated names of frames. Frames whose line lies in inlined methods get new symbols.
void deobfuscate_frames(std::span<const PlacedBatch> batches, Problems& problems, Store& store);

}  // namespace tracebraid
