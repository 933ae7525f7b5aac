// Memory regions as rows, with their position in the tree of viewers (spec json 4.15).
#pragma once

#include <span>
#include <string_view>

#include "event/memory_records.h"
#include "tables/store.h"

namespace tracebraid {

// Returns the category, "Native heap", "Files/so" ..., by the name of the mapped file, which may be
// empty.
std::string_view region_class(std::string_view file);

// Adds rows for the regions of one event. If no region has proportional bytes, they are NULL for
// all.
void add_memory_regions(std::span<const MemoryRegion> regions, uint32_t process_snapshot,
                        Store& store);

}  // namespace tracebraid
