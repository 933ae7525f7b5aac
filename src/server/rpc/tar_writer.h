// Writes tar archives (ustar) of the regular files of a folder.
#pragma once

#include <string>

#include "base/result.h"

namespace tracebraid::rpc {

// Writes the files of a folder, without subfolders, by name, to a descriptor. Error Io.
Result<> write_tar(const std::string& folder, int to);

}  // namespace tracebraid::rpc
