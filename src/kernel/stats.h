// Stats that readers of kernel events of several formats count.
#pragma once

#include "event/stat.h"

#define TB_KERNEL_STATS(STAT)                                                \
  STAT(121, systrace_parse_failure, Single, Error, Analysis, MachineAndFile) \
  STAT(422, ftrace_unknown_task_state, Single, Info, Trace, MachineAndFile)

TB_DECLARE_STATS(TB_KERNEL_STATS)
