// Temporary files without a name: gone when nobody has them open or mapped any more.
#pragma once

#include <string>

#include "base/descriptor.h"
#include "base/result.h"

namespace tracebraid {

// Opens one for reading and writing. Error: Io, as temporary_file_error().
Result<Descriptor> open_temporary_file(const std::string& directory);

// The Error for a temporary file in `directory` that cannot be written (`reason`: errno): Io, with
// what to do.
Error temporary_file_error(const std::string& directory, int reason);

}  // namespace tracebraid
