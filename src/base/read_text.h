// Whole small files: SQL, manifests, sets of descriptors.
#pragma once

#include <string>

#include "base/result.h"

namespace tracebraid {

// Errors (NotFound, Io) name the file and the reason.
Result<std::string> read_text(const std::string& path);
// All that the descriptor, which stays the caller's, still has. `name` is for errors.
Result<std::string> read_text(int fd, const std::string& name);

}  // namespace tracebraid
