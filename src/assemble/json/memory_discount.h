// What a process would have used without the tracing that measured it (spec json 4.15,
// finalisation 6).
#pragma once

#include <cstdint>
#include <span>

#include "assemble/args/deferred_args.h"
#include "event/memory_records.h"
#include "tables/store.h"

namespace tracebraid {

// Arg set with the bytes that tracing took, `tracing.size`, and what is left without them of
// the totals (`discounted.resident_set_bytes` ...) and of the native heap's regions
// (`discounted.native_heap.size`, `.pss`, `.private_dirty`).
uint32_t discount_args(int64_t tracing_bytes, std::span<const MemoryTotal> totals,
                       std::span<const MemoryRegion> regions, DeferredArgs& args, Store& store);

}  // namespace tracebraid
