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

void prefer_huge_pages(void* begin, size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr uintptr_t kHugePage = uintptr_t{1} << 21;
  const auto at = reinterpret_cast<uintptr_t>(begin);
  const uintptr_t first = (at + kHugePage - 1) & ~(kHugePage - 1);
  const uintptr_t last = (at + bytes) & ~(kHugePage - 1);
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#else
  static_cast<void>(begin), static_cast<void>(bytes);
#endif
}

}  // namespace tracebraid
