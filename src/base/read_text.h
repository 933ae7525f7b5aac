// Whole small files: SQL, manifests, sets of descriptors.
#pragma once

#include <string>

#include "base/result.h"

namespace tracebraid {

// Reads the whole file. Errors (NotFound, Io) name the file and the reason.
Result<std::string> read_text(const std::string& path);
// Reads the rest of the descriptor, which is borrowed. `name` is for errors.
Result<std::string> read_text(int fd, const std::string& name);

}  // namespace tracebraid
