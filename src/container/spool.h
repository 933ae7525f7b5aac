// Spooling: copies bytes that are needed as a whole, such as an archive inside a compressed file or
// a pipe, to memory or a temporary file.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/file_damage.h"
#include "base/progress.h"
#include "base/result.h"
#include "container/bytes.h"
#include "container/input.h"
#include "container/meter.h"

namespace tracebraid {

struct Spooled {
  Bytes bytes;                   // the bytes that could be read
  std::optional<Error> problem;  // why bytes are missing
};

// Reads `input` to its end. The spooled bytes of one budget stay in memory up to 64 MiB; further
// bytes go to unlinked files in the temporary directory, which are mapped. An Error means that the
// bytes could not be stored (disk full) or that the work was cancelled.
Result<Spooled> spool(Input& input, const std::shared_ptr<Budget>& budget, Progress& progress);

// Returns all bytes that can be read from an open descriptor of `path`. Borrows `fd`, `damage` and
// `progress`; ends when the work is cancelled. Notes a failure to read as damage.
Input read_descriptor(int fd, const std::string& path, FileDamage& damage,
                      const Progress& progress);

}  // namespace tracebraid
