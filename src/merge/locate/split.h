// Captures that claim to be of one machine and cannot be.
#pragma once

#include <span>
#include <vector>

#include "merge/locate/located.h"
#include "merge/locate/machines.h"

namespace tracebraid {

// Gives files a machine row of their own whose wall clock lies elsewhere on BOOTTIME than that of
// the files before them, or whose build or kernel is another one (spec clocks 15.2 Q7). What a
// manifest says of machines is not doubted. Under strict the first such file is an Error.
Result<> split_machines(std::span<const FileToLocate> files, bool is_strict, Roster& roster,
                        Store& store, std::vector<Problem>& warnings);

}  // namespace tracebraid
