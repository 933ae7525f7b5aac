// TAR: the headers of an archive (spec clocks 11.2, 15 Q21).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tracebraid {

struct TarEntry {
  std::string name;
  uint64_t offset = 0;  // of the data
  uint64_t size = 0;    // what of the data is there
};

struct TarListing {
  std::vector<TarEntry> entries;  // regular files, in physical order
  std::vector<Error> problems;    // in physical order
  bool too_many = false;          // there are more entries than were asked for
};

bool is_tar(std::string_view head);

// Nothing is copied but names. At damage the entries before it stay. At most
// `max_entries` are listed.
TarListing list_tar(std::string_view archive, uint32_t max_entries);

}  // namespace tracebraid
