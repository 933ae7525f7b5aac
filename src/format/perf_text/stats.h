// Stats that the reader of perf_text counts.
#pragma once

#include "event/stat.h"

#define TB_PERF_TEXT_STATS(STAT)                                                                   \
  STAT(308, perf_text_importer_sample_no_frames, Single, Error, Trace, MachineAndFile, LostEvents, \
       "A sample of perf script has no frames. The sample is on no row. Record with callstacks "   \
       "(perf record -g).")                                                                        \
  STAT(412, perf_text_parse_failure, Single, Error, Trace, MachineAndFile, LostEvents,             \
       "A line of perf script is malformed. The line is no sample. Check whether another program"  \
       " wrote into the file.")

TB_DECLARE_STATS(TB_PERF_TEXT_STATS)
