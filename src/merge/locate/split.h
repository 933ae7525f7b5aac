// Splits a machine whose files cannot be of one machine.
#pragma once

#include <span>
#include <vector>

#include "merge/locate/located.h"
#include "merge/locate/machines.h"

namespace tracebraid {

// Gives a file a machine of its own if its wall clock differs from that of the files before at the
// same BOOTTIME, or if its build or kernel differs (spec clocks 15.2 Q7). Does not split machines
// that a manifest states. With `is_strict` the first such file is an Error.
Result<> split_machines(std::span<const FileToLocate> files, bool is_strict,
                        MachineRegistry& registry, Store& store, std::vector<Problem>& warnings);

}  // namespace tracebraid
