// Methods of messages between processes, which events know by their address (spec proto-2 6).
#pragma once

#include <vector>

#include "assemble/placed_batch.h"
#include "assemble/samples/stacks.h"
#include "base/string_pool.h"

namespace tracebraid {

// Replaces MethodArgs of all batches by the names in the symbols of their modules, which may come
// anywhere in the files. Without a symbol, the mapping becomes its row of stack_profile_mapping.
void name_methods(std::vector<PlacedBatch>& batches, Stacks& stacks, StringPool& strings);

}  // namespace tracebraid
