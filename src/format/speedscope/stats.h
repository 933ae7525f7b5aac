// Stats that the reader of speedscope counts.
#pragma once

#include "event/stat.h"

#define TB_SPEEDSCOPE_STATS(STAT)                                                             \
  STAT(415, speedscope_bad_record, Single, Error, Trace, MachineAndFile, LostEvents,          \
       "An event or sample of a speedscope file is malformed, or closes a frame that is not " \
       "open. The record is on no row. Check the program that wrote the file.")

TB_DECLARE_STATS(TB_SPEEDSCOPE_STATS)
