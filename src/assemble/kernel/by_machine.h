// State of handlers by machine: pids, ids and addresses are local to a machine.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace tracebraid {

using OfMachine = std::pair<uint32_t, uint64_t>;  // row of machine, number
template <class Value>
using Remembered = absl::flat_hash_map<OfMachine, Value>;

// Returns the element of a vector by machine; grows the vector if needed.
template <class Value>
Value& of_machine(std::vector<Value>& all, uint32_t machine) {
  if (machine >= all.size()) all.resize(machine + 1);
  return all[machine];
}

}  // namespace tracebraid
