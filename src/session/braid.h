// Braid: a merged trace as one file that is mapped, not read: our own cache.
//
//   header   64 bytes: magic, version, digest of the tables, content key, where the directory is
//   parts    each at a multiple of 64 bytes: the image of the store, then what else was merged
//   directory   offset, size and checksum of each part
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/mapped_file.h"
#include "base/new_file.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/workers.h"
#include "merge/merge.h"

namespace tracebraid {

// Of what a braid was made: the bytes of its inputs and the options of merging. 0: not known.
using ContentKey = uint64_t;

bool is_braid(std::string_view head);
// The same by the first bytes of a file; false if it cannot be read.
bool is_braid_file(const std::string& path);

// Returns the bytes written. `file` is complete then, but for NewFile::finish().
Result<uint64_t> write_braid(const Merged& merged, ContentKey key, NewFile& file,
                             Progress& progress);

struct Braid {
  std::shared_ptr<const MappedFile> file;  // holds what `merged` views
  Merged merged;
  ContentKey key = 0;
};

// An Error names what is wrong and what to do: no braid, of another version, or damaged.
Result<Braid> open_braid(const std::string& path, Workers& workers);
// The key alone; nothing if the file is no braid of this version.
std::optional<ContentKey> braid_key(const std::string& path);

}  // namespace tracebraid
