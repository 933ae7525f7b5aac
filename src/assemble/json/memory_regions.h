// Memory regions as rows, with their place in the tree that viewers show (spec json
// 4.15).
#pragma once

#include <span>
#include <string_view>

#include "event/memory_records.h"
#include "tables/store.h"

namespace tracebraid {

// "Native heap", "Files/so": by the name of the mapped file, empty if it has none.
std::string_view region_class(std::string_view file);

// Rows for regions that one event dumped. If none has proportional bytes, none is known.
void add_memory_regions(std::span<const MemoryRegion> regions, uint32_t process_snapshot,
                        Store& store);

}  // namespace tracebraid
