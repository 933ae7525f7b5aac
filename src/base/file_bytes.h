// Bytes of files that are read whole, such as manifests.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tracebraid {

// Returns the first `size` bytes, or all bytes of a shorter file. Returns nothing if `path` is no
// regular file or cannot be read.
std::optional<std::string> read_head(const std::string& path, size_t size);

// Passes all bytes of the file to `take`, block by block, until that returns an Error, which is the
// outcome. Other Errors (NotFound, Io) name the path.
Result<> for_each_block(const std::string& path,
                        const std::function<Result<>(std::string_view)>& take);

// Returns all bytes of the file. Errors (NotFound, Io) name the path.
Result<std::string> read_file(const std::string& path);

}  // namespace tracebraid
