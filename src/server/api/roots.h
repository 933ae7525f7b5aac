// Files of the server that clients may name: those below a root, and those of the command line.
#pragma once

#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "server/api/api.h"

namespace tracebraid::api {

// Opens a file or a folder below a root without leaving it: "..", links that lead out, NUL and
// special files are an Error. Error Usage for a path that is not allowed, NotFound.
Result<Descriptor> open_below(const Root& root, const std::string& path);

// Returns the path to open: of a file below a root, or one of the command line if `root` is empty.
// Errors as of open_below().
Result<std::string> path_of_input(const Api& api, const std::string& root, const std::string& path);

// Returns null if there is no root of this name.
const Root* find_root(const Api& api, std::string_view name);

}  // namespace tracebraid::api
