// Spooling: copies bytes that must be available as a whole to a temporary file, such as an archive
// inside a compressed file, or a pipe.
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
  Bytes bytes;                   // what could be read
  std::optional<Error> problem;  // why that is not all
};

// Reads `input` to its end. All that is spooled for one budget stays in memory up to 64 MiB; the
// rest goes to unlinked files in the temporary directory, which are mapped. An Error means that the
// bytes could not be kept (disk full) or that the work was cancelled.
Result<Spooled> spool(Input& input, const std::shared_ptr<Budget>& budget, Progress& progress);

// All bytes that can be read from an open descriptor of `path`. Borrows `fd`, `damage` and
// `progress`; ends when the work is cancelled. A failure to read is noted as damage.
Input read_descriptor(int fd, const std::string& path, FileDamage& damage,
                      const Progress& progress);

}  // namespace tracebraid
