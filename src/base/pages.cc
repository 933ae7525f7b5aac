#include "base/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

#include "base/memory_budget.h"

namespace tracebraid {

void discard_pages(const void* begin, const void* end) {
  const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const uintptr_t first = (reinterpret_cast<uintptr_t>(begin) + page - 1) & ~(page - 1);
  const uintptr_t last = reinterpret_cast<uintptr_t>(end) & ~(page - 1);
  if (first >= last) return;
  void* const at = reinterpret_cast<void*>(first);
  if (is_budgeted(at))
    discard_budgeted(at, last - first);
  else
    ::madvise(at, last - first, MADV_DONTNEED);
}

}  // namespace tracebraid
