// GraphState: the open calls of kernel functions, as the tracer function_graph wrote them.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <vector>

namespace tracebraid::systrace {

// The state of each thread's calls. Without a column for the time, the meaning of a line depends on
// the lines before it: then one state serves the whole text, whose chunks are read one by one.
struct GraphState {
  struct Cpu {
    int64_t tid = -1;  // running thread, from switches; -1: not known
    int64_t now = 0;   // without a column for the time: sum of durations
  };
  struct Stack {
    int64_t now = 0;              // no call of the thread begins or ends before
    std::vector<int64_t> begins;  // begins of the open calls
  };
  absl::flat_hash_map<uint32_t, Cpu> cpus;
  absl::flat_hash_map<int64_t, Stack> stacks;  // by tid, else by -1 - cpu
};

}  // namespace tracebraid::systrace
