// Pages of memory: releases them before their owner frees them, and asks for large ones.
#pragma once

#include <cstddef>
#include <vector>

namespace tracebraid {

// The allocator of a host whose operator new keeps blocks in files when memory is short. Other
// hosts have none.
class HostAllocator {
 public:
  // Sets whole pages of one block to zero and releases their memory and disk space until they are
  // written again. Returns false if the block is not from the host. Called on any thread.
  virtual bool discard(void* begin, size_t bytes) noexcept = 0;

 protected:
  ~HostAllocator() = default;
};

// Sets the whole pages in [begin, end) to zero and releases their memory until they are written
// again. Requires: private memory, such as a vector's. `allocator` may be null.
void discard_pages(const void* begin, const void* end, HostAllocator* allocator);

// Asks the system for pages of 2 MiB in [begin, begin + bytes), because page faults otherwise take
// a quarter of the time of filling some hundred MB once. Has no effect on smaller ranges, and where
// the system has no such pages. Call it before the memory is written. Requires: private memory.
void prefer_huge_pages(void* begin, size_t bytes);

// Reserves memory of huge pages for `size` elements of an empty vector.
template <class T>
void reserve_in_huge_pages(std::vector<T>& values, size_t size) {
  values.reserve(size);
  prefer_huge_pages(values.data(), size * sizeof(T));
}

}  // namespace tracebraid
