// Lists the entries of a ZIP (spec clocks 11.2).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "container/codec.h"
#include "container/unpack.h"

namespace tracebraid {

struct ZipEntry {
  std::string_view name;  // in the archive
  uint64_t offset = 0;    // of the data
  uint64_t packed_size = 0;
  std::optional<uint64_t> size;      // uncompressed, if known
  std::optional<Codec> codec;        // none: stored
  std::optional<uint32_t> crc;       // none: not known, or data is missing
  std::optional<Error> unsupported;  // why it cannot be read
};

struct ZipListing {
  std::vector<ZipEntry> entries;  // files and directories, in physical order
  std::vector<Error> problems;    // in physical order
  bool too_many = false;          // there are more than `max_entries`
};

bool is_zip(std::string_view head);

// Finds where a deflated entry of unknown size ends: measure_frame() of the bytes from an offset
// on.
using MeasureEntry = std::function<Result<FrameExtent>(Codec codec, uint64_t offset)>;

// Reads the local headers, one after the other. Uses the central directory for unknown sizes and to
// continue after damage. Copies nothing. Lists at most `max_entries`.
ZipListing list_zip(std::string_view archive, uint32_t max_entries, const MeasureEntry& measure);

}  // namespace tracebraid
