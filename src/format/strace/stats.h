// Stats that the reader of strace counts.
#pragma once

#include "event/stat.h"

#define TB_STRACE_STATS(STAT)                                                                      \
  STAT(309, strace_parse_failure, Single, Info, Trace, MachineAndFile, LostEvents,                 \
       "A line of strace is malformed. The line is no slice. Check whether another program wrote"  \
       " into the file.")                                                                          \
  STAT(310, strace_unsupported_timestamp_format, Single, Error, Trace, MachineAndFile, LostEvents, \
       "A line of strace has a time of an unsupported kind. The line is no slice. Record with "    \
       "'strace -ttt -T'.")                                                                        \
  STAT(311, strace_missing_pid, Single, Error, Trace, MachineAndFile, LostEvents,                  \
       "A line of strace names no process, although others do. The line is no slice. Record with"  \
       " 'strace -f'.")

TB_DECLARE_STATS(TB_STRACE_STATS)
