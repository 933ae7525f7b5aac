// The memory budget: what is allocated beyond it lies in a temporary file that is mapped, so
// that the kernel can write it out and take its pages for others.
//
// Only the program's operator new (cli/operator_new.cc) allocates here. The library gets
// budget_allocator(), which releases pages of a block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/pages.h"
#include "base/result.h"

namespace tracebraid {

// From here on the process takes about `bytes` of memory of its own at most, and files in
// `directory` for the rest. Once, before there are threads. An Error if there can be no such file.
Result<> set_memory_budget(uint64_t bytes, const std::string& directory);
bool has_memory_budget();

// Smaller blocks are not worth it: they are malloc's.
inline constexpr size_t kSmallestBudgetedBytes = 1024;

// Aligned for everything. Null if neither the budget nor the disk has room, or there is no budget.
void* allocate_budgeted(size_t bytes);
// Whether `at` lies in what allocate_budgeted() gave.
bool is_budgeted(const void* at);
// `at` must be what allocate_budgeted() gave.
void free_budgeted(void* at);
// For HostFiles::allocator. Null without a budget. Its discard() refuses what allocate_budgeted()
// did not give.
HostAllocator* budget_allocator();

struct BudgetUse {
  uint64_t in_memory, in_file;  // bytes
};
BudgetUse budget_use();

// Returns the most memory of its own (pages that belong to no file) that the process had, as far as
// it was sampled, in bytes, if that is clearly more than the limit: what malloc and the libraries
// take cannot be put into the file.
struct ExceededLimit {
  uint64_t limit, used;  // bytes
};
std::optional<ExceededLimit> exceeded_limit();

// Why the disk gave no room, if it did not.
std::optional<Error> budget_failure();

}  // namespace tracebraid
