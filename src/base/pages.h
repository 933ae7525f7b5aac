// Memory that is released before its owner frees it.
#pragma once

#include <cstddef>

namespace tracebraid {

// What the library knows of the operator new of a host that replaced it by one that keeps blocks in
// files when memory is short. Without such a host there is none.
class HostAllocator {
 public:
  // Makes whole pages of one block zeros and releases their memory and disk until they are written
  // again. False: the block is not from the host. Called on any thread.
  virtual bool discard(void* begin, size_t bytes) noexcept = 0;

 protected:
  ~HostAllocator() = default;
};

// Makes the whole pages in [begin, end) zeros and releases their memory until they are written
// again. Requires: private memory, such as a vector's. `allocator` may be null.
void discard_pages(const void* begin, const void* end, HostAllocator* allocator);

}  // namespace tracebraid
