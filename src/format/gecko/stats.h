// Stats that the reader of gecko counts.
#pragma once

#include "event/stat.h"

#define TB_GECKO_STATS(STAT)                                                                      \
  STAT(413, gecko_bad_row, Single, Error, Trace, MachineAndFile, LostEvents,                      \
       "A row of a Gecko profile is malformed or refers to a missing text. The row is on no row " \
       "of the tables. Check the program that wrote the file.")                                   \
  STAT(414, gecko_marker_end_without_start, Single, Error, Trace, MachineAndFile, LostEvents,     \
       "A marker of a Gecko profile ends that did not start. The end is on no row. Usual where "  \
       "recording began in the middle.")

TB_DECLARE_STATS(TB_GECKO_STATS)
