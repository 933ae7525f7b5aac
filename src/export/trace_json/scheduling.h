// Scheduling in a Trace Event JSON: what ran on each CPU, and the states of threads.
#pragma once

#include <string>
#include <vector>

#include "export/trace_json/event_writer.h"
#include "export/trace_json/places.h"

namespace tracebraid {

// Writes the rows of sched as slices of the synthetic process of the CPUs.
Result<> write_sched(const Store& store, const Selection& selection, const Places& places,
                     EventWriter& to);

// Writes the rows of thread_state as events of phase T with a duration (spec json 4.10). Adds a
// message to `notes` if some have no end, because the format has no such states.
Result<> write_thread_states(const Store& store, const Selection& selection, const Places& places,
                             EventWriter& to, std::vector<std::string>& notes);

}  // namespace tracebraid
