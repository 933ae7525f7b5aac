// Stats that the reader of Android bug reports counts.
#pragma once

#include "event/stat.h"

#define TB_ANDROID_DUMPSTATE_STATS(STAT)                                                       \
  STAT(1, android_br_parse_errors, Single, Error, Trace, MachineAndFile, LostEvents,           \
       "A line of the battery history of an Android bug report is malformed, or precedes the " \
       "first time. Its events are on no row. Check whether the report is complete.")

TB_DECLARE_STATS(TB_ANDROID_DUMPSTATE_STATS)
