// Memory that is released before its owner frees it.
#pragma once

#include <cstddef>

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

}  // namespace tracebraid
