// Stats that the reader of systrace counts.
#pragma once

#include "event/stat.h"

#define TB_SYSTRACE_STATS(STAT)                                                                   \
  STAT(420, ftrace_text_lost_events, Single, DataLoss, Trace, MachineAndFile, LostData,           \
       "The kernel lost events before it printed them as text. These events are not in the file." \
       " Use a larger kernel buffer.")                                                            \
  STAT(421, ftrace_text_unsupported_tracer, Single, Error, Analysis, MachineAndFile, LostData,    \
       "The kernel text was written by a tracer whose lines are not imported. The lines are on "  \
       "no row. Record with the nop or function_graph tracer.")

TB_DECLARE_STATS(TB_SYSTRACE_STATS)
