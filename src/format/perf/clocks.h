// What a perf.data file says of clocks.
#pragma once

#include <cstdint>

#include "event/sink.h"
#include "format/perf/header.h"
#include "format/perf/records.h"

namespace tracebraid::perf {

// TIME_CONV: how perf's clock is made from the CPU's counter.
void parse_time_conversion(const Record& record, Header& header);

// States the clock of the events, which it returns (index of the clock names), and what relates
// it to others: CLOCK_DATA to wall-clock time, TIME_CONV to the CPU's counter. `first` and `last`
// are readings of it, the recording's ends; 0 if there are none.
uint32_t write_clocks(const Header& header, uint64_t first, uint64_t last, EventSink& sink);

}  // namespace tracebraid::perf
