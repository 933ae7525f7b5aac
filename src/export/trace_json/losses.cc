#include "export/trace_json/losses.h"

#include <algorithm>

#include "export/row_nouns.h"

namespace tracebraid {

std::vector<std::string> losses_in_json(const Store& store) {
  // Tables that these refer to (callstacks, ...) need no message.
  constexpr std::string_view kLost[] = {"__intrinsic_state",
                                        "__intrinsic_thread_state",
                                        "__intrinsic_spurious_sched_wakeup",
                                        "__intrinsic_ftrace_event",
                                        "__intrinsic_profiler_sample",
                                        "__intrinsic_json_sample",
                                        "__intrinsic_track_event_callstacks",
                                        "__intrinsic_heap_profile_allocation",
                                        "__intrinsic_heap_graph_object"};
  std::vector<std::string> lines;
  for (const TableView& table : store.views())
    if (table.rows != 0 && std::ranges::count(kLost, table.name) != 0)
      lines.push_back(not_exported(table.rows, table.name));
  return lines;
}

}  // namespace tracebraid
