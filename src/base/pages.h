// Memory that is released before its owner frees it.
#pragma once

namespace tracebraid {

// Turns the whole pages in [begin, end) into zeros, which take no memory until they are written
// again. Requires: private memory, such as a vector's.
void discard_pages(const void* begin, const void* end);

}  // namespace tracebraid
