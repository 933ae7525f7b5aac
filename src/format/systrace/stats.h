// Stats that the reader of systrace counts.
#pragma once

#include "event/stat.h"

#define TB_SYSTRACE_STATS(STAT)                                               \
  STAT(420, ftrace_text_lost_events, Single, DataLoss, Trace, MachineAndFile) \
  STAT(421, ftrace_text_unsupported_tracer, Single, Error, Analysis, MachineAndFile)

TB_DECLARE_STATS(TB_SYSTRACE_STATS)
