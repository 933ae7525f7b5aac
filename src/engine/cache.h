// Cache: a braid beside the input, used in place of it while nothing has changed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "braid/braid.h"

namespace tracebraid {

// In `folder` under a name made of the key; beside the first input if `folder` is empty.
std::string cache_path(std::span<const std::string> inputs, const std::string& folder,
                       ContentKey key);

// Of all bytes of the inputs and of the manifest, of what the options say, and of `program`, its
// version. Nothing if an input is no plain file: it could not be looked at twice.
Result<std::optional<ContentKey>> content_key(std::span<const std::string> inputs,
                                              const MergeOptions& options,
                                              std::string_view program);

}  // namespace tracebraid
