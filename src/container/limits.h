// Limits of what archives may contain.
#pragma once

#include <cstdint>

namespace tracebraid {

// Limits against decompression bombs and endless nesting. Each has a command line option of its
// name, such as --max-member-bytes.
struct ContainerLimits {
  uint64_t max_member_bytes = uint64_t{1} << 40;  // uncompressed, one member
  uint64_t max_total_bytes = uint64_t{1} << 42;   // uncompressed, all of one input
  uint64_t max_ratio = 2000;                      // uncompressed / compressed, from 64 MiB on
  uint32_t max_members = 4'000'000;               // of one input
  uint32_t max_depth = 16;                        // archives within archives
};

}  // namespace tracebraid
