// Stats that the reader of speedscope counts.
#pragma once

#include "event/stat.h"

#define TB_SPEEDSCOPE_STATS(STAT) \
  STAT(415, speedscope_bad_record, Single, Error, Trace, MachineAndFile)

TB_DECLARE_STATS(TB_SPEEDSCOPE_STATS)
