// Lists the entries of a TAR (spec clocks 11.2, 15 Q21).
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
  uint64_t size = 0;    // bytes of the data that are present
};

struct TarListing {
  std::vector<TarEntry> entries;  // regular files, in physical order
  std::vector<Error> problems;    // in physical order
  bool too_many = false;          // there are more than `max_entries`
};

bool is_tar(std::string_view head);

// Copies only names. Entries before damage are listed. Lists at most `max_entries`.
TarListing list_tar(std::string_view archive, uint32_t max_entries);

}  // namespace tracebraid
