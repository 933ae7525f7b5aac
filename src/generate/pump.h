// pump(): passes events to a writer, in order of time, until the file has the requested size.
#pragma once

#include <limits>
#include <span>

#include "generate/output.h"
#include "generate/workload.h"

namespace tracebraid::generate {

struct Extent {
  uint64_t bytes = std::numeric_limits<uint64_t>::max();
  int64_t end_ns = std::numeric_limits<int64_t>::max();
};

// `script` is sorted by ts and merged into the events.
template <class Write>
void pump(Workload& workload, std::span<const WorkloadEvent> script, const Extent& extent,
          Output& out, Write&& write) {
  while (out.bytes() < extent.bytes) {
    WorkloadEvent next = workload.next();
    for (; !script.empty() && script.front().ts <= next.ts; script = script.subspan(1))
      write(script.front());
    if (next.ts >= extent.end_ns) break;
    write(next);
    out.flush_if_full();
  }
}

}  // namespace tracebraid::generate
