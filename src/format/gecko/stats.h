// Stats that the reader of gecko counts.
#pragma once

#include "event/stat.h"

#define TB_GECKO_STATS(STAT)                                                                     \
  STAT(413, gecko_bad_row, Single, Error, Trace, MachineAndFile, LostEvents,                     \
       "A sample, marker or counter value of a Gecko profile is malformed or lacks its time or " \
       "name. It is on no row. Check the program that wrote the file.")                          \
  STAT(414, gecko_marker_end_without_start, Single, Error, Trace, MachineAndFile, Unpaired,      \
       "A marker of a Gecko profile ends that did not start. The end is on no row. Usual where " \
       "recording began in the middle.")                                                         \
  STAT(438, gecko_bad_reference, Single, Error, Trace, MachineAndFile, LostData,                 \
       "A row of the stack table of a Gecko profile is malformed, or a sample or marker refers " \
       "to a missing stack or has malformed data. The event is on a row without its callstack "  \
       "or args. Check the program that wrote the file.")

TB_DECLARE_STATS(TB_GECKO_STATS)
