// Stats that the reader of gecko counts.
#pragma once

#include "event/stat.h"

#define TB_GECKO_STATS(STAT)                                     \
  STAT(413, gecko_bad_row, Single, Error, Trace, MachineAndFile) \
  STAT(414, gecko_marker_end_without_start, Single, Error, Trace, MachineAndFile)

TB_DECLARE_STATS(TB_GECKO_STATS)
