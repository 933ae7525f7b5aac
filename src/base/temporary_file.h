// Temporary files without a name, which disappear when no process has them open or mapped.
#pragma once

#include <string>

#include "base/descriptor.h"
#include "base/result.h"

namespace tracebraid {

// Opens a new file for reading and writing. Error: Io, as of temporary_file_error().
Result<Descriptor> open_temporary_file(const std::string& directory);

// Returns the Error for a temporary file in `directory` that cannot be written (`reason`: errno):
// Io, with what to do.
Error temporary_file_error(const std::string& directory, int reason);

}  // namespace tracebraid
