// Clocks of a perf.data file.
#pragma once

#include <cstdint>

#include "event/sink.h"
#include "format/perf/header.h"
#include "format/perf/records.h"

namespace tracebraid::perf {

// Parses TIME_CONV, the conversion of the CPU's counter to perf's clock.
void parse_time_conversion(const Record& record, Header& header);

// Emits the clock of the events and returns its index of the clock names. Relates it to other
// clocks: CLOCK_DATA to wall-clock time, TIME_CONV to the CPU's counter. `first` and `last` are its
// readings at the ends of the recording; 0 if there are none.
uint32_t write_clocks(const Header& header, uint64_t first, uint64_t last, EventSink& sink);

}  // namespace tracebraid::perf
