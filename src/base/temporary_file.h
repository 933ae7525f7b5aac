// Temporary files without a name: gone when nobody has them open or mapped any more.
#pragma once

#include <string>

#include "base/descriptor.h"
#include "base/result.h"

namespace tracebraid {

// $TMPDIR, or /tmp.
std::string temporary_directory();

// For reading and writing.
Result<Descriptor> open_temporary_file(const std::string& directory);

// That a temporary file in `directory` could not be written (`reason`: errno), and what to do.
Error temporary_file_error(const std::string& directory, int reason);

}  // namespace tracebraid
