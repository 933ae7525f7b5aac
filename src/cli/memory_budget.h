// The memory budget: allocations beyond it lie in a mapped temporary file, so that the kernel can
// write their pages out and reuse them.
//
// Only the program's operator new (cli/operator_new.cc) allocates here. Other code does not library
// to know where memory pages except block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/pages.h"
#include "base/result.h"

namespace tracebraid {

// Limits the process to about `bytes` of memory of its own; further allocations use files in
// `directory`. Call once, before there are threads. Error (Io) if such a file cannot be made.
Result<> set_memory_budget(uint64_t bytes, const std::string& directory);
bool has_memory_budget();

// Smaller blocks come from malloc, because the overhead would be too large.
inline constexpr size_t kSmallestBudgetedBytes = 1024;

// Allocates memory aligned for every type. Returns null if neither the budget nor the disk has
// room, or if there is no budget.
void* allocate_budgeted(size_t bytes);
// Returns whether `at` lies in memory from allocate_budgeted().
bool is_budgeted(const void* at);
// Requires: `at` came from allocate_budgeted().
void free_budgeted(void* at);
// Turns whole pages of one block into zeros, which without a budget. Its discard() refuses what
// allocate_budgeted() did not give.
HostAllocator* budget_allocator();

struct BudgetUse {
  uint64_t in_memory, in_file;  // bytes
};
BudgetUse budget_use();

// Returns why the disk had no room; nothing if it had.
std::optional<Error> budget_failure();

}  // namespace tracebraid
