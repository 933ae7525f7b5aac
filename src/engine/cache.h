// Cache: a braid beside the input, used instead of the input until something changes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "braid/braid.h"

namespace tracebraid {

// Returns the path of the cache: in `folder` with a name derived from the key, or beside the first
// input if `folder` is empty.
std::string cache_path(std::span<const std::string> inputs, const std::string& folder,
                       ContentKey key);

// Returns a digest of the contents of the inputs and the manifest, of the options, and of
// `program`, the version. Returns nothing if an input is no regular file, because it cannot be read
// twice. Progress: "looking for the cached trace".
Result<std::optional<ContentKey>> content_key(std::span<const std::string> inputs,
                                              const MergeOptions& options, std::string_view program,
                                              Progress& progress);

}  // namespace tracebraid
