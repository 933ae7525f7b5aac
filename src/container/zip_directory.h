// The central directory of a ZIP: a second source for what local headers leave
// out or have lost.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tracebraid {

struct ZipDirectoryEntry {
  uint64_t header = 0;  // offset of the local header
  uint64_t packed_size = 0;
  uint64_t size = 0;
  uint32_t crc = 0;
};

// Sorted by `header`; empty if the archive has none that can be read.
std::vector<ZipDirectoryEntry> read_zip_directory(std::string_view archive);

// Takes the sizes and offsets that are 0xffffffff in a header from its extra
// field of ZIP64, in the order in which they are given; null ones are not there.
// False if the extra field lacks one.
bool take_zip64(std::string_view extra, uint64_t* size, uint64_t* packed_size, uint64_t* header);

}  // namespace tracebraid
