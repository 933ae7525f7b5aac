// Stats that the reader of ninja_log counts.
#pragma once

#include "event/stat.h"

#define TB_NINJA_LOG_STATS(STAT)                                                                \
  STAT(223, ninja_parse_errors, Single, Error, Trace, MachineAndFile, LostEvents,               \
       "A line of a ninja log is malformed. The line is no slice. Check whether the log is of " \
       "version 5 or later and complete.")

TB_DECLARE_STATS(TB_NINJA_LOG_STATS)
