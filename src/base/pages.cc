#include "base/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace tracebraid {

void discard_pages(const void* begin, const void* end, HostAllocator* allocator) {
  const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const uintptr_t first = (reinterpret_cast<uintptr_t>(begin) + page - 1) & ~(page - 1);
  const uintptr_t last = reinterpret_cast<uintptr_t>(end) & ~(page - 1);
  if (first >= last) return;
  void* const at = reinterpret_cast<void*>(first);
  if (allocator == nullptr || !allocator->discard(at, last - first))
    ::madvise(at, last - first, MADV_DONTNEED);
}

}  // namespace tracebraid
