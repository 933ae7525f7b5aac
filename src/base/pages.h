// Memory that is given back before its owner frees it.
#pragma once

namespace tracebraid {

// The whole pages in [begin, end) become zeros and take no memory any more until they
// are written again. They must be private memory, such as a vector's.
void discard_pages(const void* begin, const void* end);

}  // namespace tracebraid
