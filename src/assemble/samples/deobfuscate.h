// Original names of obfuscated Java code (spec proto 6.8, proto-2 10). Called by assemble when all
// rows exist.
#pragma once

#include <span>

#include "assemble/placed_batch.h"
#include "assemble/problems.h"
#include "tables/store.h"

namespace tracebraid {

// Sets the deobfuscated names of classes and fields of heap graphs, and of frames.
void deobfuscate(std::span<const PlacedBatch> batches, Problems& problems, Store& store);

}  // namespace tracebraid
