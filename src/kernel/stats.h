// Stats that readers of kernel events of several formats count.
#pragma once

#include "event/stat.h"

#define TB_KERNEL_STATS(STAT)                                                                 \
  STAT(121, systrace_parse_failure, Single, Error, Analysis, MachineAndFile, LostEvents,      \
       "A line of kernel text or a mark of an app is malformed. The line is no event. Check " \
       "whether another program wrote into the trace.")                                       \
  STAT(422, ftrace_unknown_task_state, Single, Info, Trace, MachineAndFile, Noted,            \
       "A scheduler switch shows an unknown state of a task. The letters are shown as they are.")

TB_DECLARE_STATS(TB_KERNEL_STATS)
