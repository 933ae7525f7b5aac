// Unlisted leaves of arg sets that are joined of several sets: of the begin and end of a slice, or
// of several descriptions of a process.
#pragma once

#include <absl/functional/function_ref.h>

#include <string_view>
#include <vector>

#include "event/args.h"

namespace tracebraid {

// Drops unlisted leaves that contradict others, so that the leaves form a tree: leaves at the path
// of another leaf or of a container of others, and leaves within another leaf. Listed leaves stay;
// of unlisted ones the last stays. An empty container is dropped if it has members. Requires: the
// texts of paths outlive the call.
void drop_contradictions(std::vector<ArgRow>& rows,
                         absl::FunctionRef<std::string_view(const ArgRow&)> path_of);

}  // namespace tracebraid
