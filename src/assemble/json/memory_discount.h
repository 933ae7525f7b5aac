// The memory use of a process without that of tracing itself (spec json 4.15, finalisation 6).
#pragma once

#include <cstdint>
#include <span>

#include "assemble/args/deferred_args.h"
#include "event/memory_records.h"
#include "tables/store.h"

namespace tracebraid {

// Returns an arg set with the bytes of tracing, `tracing.size`, and without them the totals
// (`discounted.resident_set_bytes` ...) and the regions of the native heap
// (`discounted.native_heap.size`, `.pss`, `.private_dirty`).
uint32_t discount_args(int64_t tracing_bytes, std::span<const MemoryTotal> totals,
                       std::span<const MemoryRegion> regions, DeferredArgs& args, Store& store);

}  // namespace tracebraid
