// Stats that the reader of simpleperf reports counts.
#pragma once

#include "event/stat.h"

#define TB_SIMPLEPERF_STATS(STAT)                                                                  \
  STAT(312, simpleperf_missing_file_mapping, Single, DataLoss, Trace, MachineAndFile, LostEvents,  \
       "A frame of a simpleperf sample names a file that the report does not describe. The whole " \
       "sample is on no row. Write the report again.")

TB_DECLARE_STATS(TB_SIMPLEPERF_STATS)
