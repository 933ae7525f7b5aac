// The program's operator new: malloc, except that with --memory-limit large blocks come from the
// memory budget. Blocks with a special alignment never do. All other forms are replaced here, so
// that each block is freed where it was allocated, also if a sanitizer has its own forms.
//
// If no memory is left, the program ends at once: hash tables of the library that we use cannot be
// destroyed after one of their allocations has failed.
#include <cstdlib>
#include <new>

#include "cli/memory_budget.h"
#include "cli/no_memory.h"

namespace {

void* allocate(size_t bytes) {
  using namespace tracebraid;
  if (bytes >= kSmallestBudgetedBytes && has_memory_budget()) return allocate_budgeted(bytes);
  return std::malloc(bytes == 0 ? 1 : bytes);
}

}  // namespace

void* operator new(size_t bytes) {
  void* const at = allocate(bytes);
  if (at == nullptr) tracebraid::end_without_memory();
  return at;
}
void* operator new[](size_t bytes) { return operator new(bytes); }
void* operator new(size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes); }
void* operator new[](size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes); }

void operator delete(void* at) noexcept {
  if (tracebraid::is_budgeted(at))
    tracebraid::free_budgeted(at);
  else
    std::free(at);
}
void operator delete(void* at, size_t) noexcept { operator delete(at); }
void operator delete(void* at, const std::nothrow_t&) noexcept { operator delete(at); }
void operator delete[](void* at) noexcept { operator delete(at); }
void operator delete[](void* at, size_t) noexcept { operator delete(at); }
void operator delete[](void* at, const std::nothrow_t&) noexcept { operator delete(at); }
