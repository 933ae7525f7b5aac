// The program's operator new: malloc, until --memory-limit asks that what is large be counted.
// Others (arrays, nothrow, sized) end in these two; those with alignments are never large.
#include <cstdlib>
#include <new>

#include "base/memory_budget.h"

namespace {

void* allocate(size_t bytes) {
  using namespace tracebraid;
  if (bytes >= kSmallestBudgetedBytes && has_memory_budget()) return allocate_budgeted(bytes);
  return std::malloc(bytes == 0 ? 1 : bytes);
}

}  // namespace

void* operator new(size_t bytes) {
  void* const at = allocate(bytes);
  if (at == nullptr) throw std::bad_alloc();
  return at;
}

void operator delete(void* at) noexcept {
  if (tracebraid::is_budgeted(at))
    tracebraid::free_budgeted(at);
  else
    std::free(at);
}
void operator delete(void* at, size_t) noexcept { operator delete(at); }
