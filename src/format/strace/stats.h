// Stats that the reader of strace counts.
#pragma once

#include "event/stat.h"

#define TB_STRACE_STATS(STAT)                                                          \
  STAT(309, strace_parse_failure, Single, Info, Trace, MachineAndFile)                 \
  STAT(310, strace_unsupported_timestamp_format, Single, Error, Trace, MachineAndFile) \
  STAT(311, strace_missing_pid, Single, Error, Trace, MachineAndFile)

TB_DECLARE_STATS(TB_STRACE_STATS)
