// Years of dates that have none, and time zones that nobody states.
#pragma once

#include <span>
#include <vector>

#include "merge/files.h"

namespace tracebraid {

// Gives times of kLocalTimeOfYear their year: that of the bug report that the log lies in, else
// of the last REALTIME that a file states, else of `now_days` (days since 1970). A date that
// would be after that day is one of the year before. Says so in the metadata of the file; likewise
// that times are taken to be UTC, if no file states a time zone.
void settle_log_years(int64_t now_days, std::vector<TraceFile>& files);

}  // namespace tracebraid
