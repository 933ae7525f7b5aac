// GraphState: the calls of kernel functions that are open, as the tracer function_graph wrote them.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <vector>

namespace tracebraid::systrace {

// Where the calls of each thread stand. Without a column for the time, lines mean something only
// after those before them: then it is one for the whole text, whose chunks are read one by one.
struct GraphState {
  struct Cpu {
    int64_t tid = -1;  // that runs, as switches said; -1: not known
    int64_t now = 0;   // without a column for the time: made up from durations
  };
  struct Stack {
    int64_t now = 0;              // no call of the thread begins or ends before
    std::vector<int64_t> begins;  // of the calls that are open
  };
  absl::flat_hash_map<uint32_t, Cpu> cpus;
  absl::flat_hash_map<int64_t, Stack> stacks;  // by tid, else by -1 - cpu
};

}  // namespace tracebraid::systrace
