// Groups before the names of args, which readers add.
#pragma once

#include <string_view>

namespace tracebraid {

// Returns the key of an arg without its group: request_id for args.request_id and debug.request_id.
constexpr std::string_view without_arg_group(std::string_view key) {
  for (const std::string_view group : {"args.", "debug."})
    if (key.starts_with(group)) key.remove_prefix(group.size());
  return key;
}

}  // namespace tracebraid
