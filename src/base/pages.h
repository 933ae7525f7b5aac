// Memory that is released before its owner frees it.
#pragma once

#include <cstddef>

namespace tracebraid {

// Turns the whole pages in [begin, end) into zeros, which releases their memory until they are
// written again. Requires: private memory, such as a vector's. `allocator` may be null.
void discard_pages(const void* begin, const void* end, HostAllocator* allocator);

}  // namespace tracebraid
