// Years of dates without one, and time zones that no file states.
#pragma once

#include <span>
#include <vector>

#include "merge/files.h"

namespace tracebraid {

// Sets the year of kLocalTimeOfYear times: that of the bug report of the log, else of the last
// REALTIME in a file, else of `now_days` (days since 1970). A date after that day gets the year
// before. Adds metadata of the file for an inferred year, and for times assumed to be UTC because
// no file states a time zone.
void settle_log_years(int64_t now_days, std::vector<TraceFile>& files);

}  // namespace tracebraid
