// The central directory of a ZIP: used for sizes that local headers lack, and after damage.
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

// Returns the entries sorted by `header`; none if the archive has no readable directory.
std::vector<ZipDirectoryEntry> read_zip_directory(std::string_view archive);

// Replaces sizes and offsets that are 0xffffffff in a header by those of its ZIP64 extra field, in
// their fixed order. Null pointers are skipped. Returns false if the extra field lacks a value.
bool take_zip64(std::string_view extra, uint64_t* size, uint64_t* packed_size, uint64_t* header);

}  // namespace tracebraid
