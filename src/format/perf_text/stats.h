// Stats that the reader of perf_text counts.
#pragma once

#include "event/stat.h"

#define TB_PERF_TEXT_STATS(STAT)                                                       \
  STAT(308, perf_text_importer_sample_no_frames, Single, Error, Trace, MachineAndFile) \
  STAT(412, perf_text_parse_failure, Single, Error, Trace, MachineAndFile)

TB_DECLARE_STATS(TB_PERF_TEXT_STATS)
