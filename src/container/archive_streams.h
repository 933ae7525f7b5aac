// ArchiveStream: the bytes of a TAR or ZIP archive, from its begin to its end. write_archive()
// (archive_writer.h) feeds it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/new_file.h"
#include "base/result.h"

namespace tracebraid {

// One thread at a time. Nothing may be called after an error. Errors: those of NewFile, NoMemory.
class ArchiveStream {
 public:
  virtual ~ArchiveStream() = default;
  // Begins an entry of `size` bytes. `modified` is in seconds since 1970.
  virtual Result<> begin(const std::string& name, uint64_t size, int64_t modified) = 0;
  // Adds bytes of the entry.
  virtual Result<> add(std::string_view bytes) = 0;
  // Ends the entry. Requires: all its bytes were added.
  virtual Result<> end() = 0;
  // Ends the archive.
  virtual Result<> finish() = 0;
};

// Return streams into `file`, which must outlive them. ZIP entries are deflated.
std::unique_ptr<ArchiveStream> tar_stream(NewFile& file);
Result<std::unique_ptr<ArchiveStream>> zip_stream(NewFile& file);

// Returns whether a name is UTF-8, which headers of archives state.
bool is_utf8_name(std::string_view name);

}  // namespace tracebraid
