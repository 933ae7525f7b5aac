// Stats that the reader of perf counts.
#pragma once

#include "event/stat.h"

#define TB_PERF_STATS(STAT)                                                    \
  STAT(228, perf_unknown_record_type, Indexed, Info, Analysis, MachineAndFile) \
  STAT(234, perf_dummy_mapping_used, Single, Info, Analysis, MachineAndFile)   \
  STAT(236, perf_aux_ignored, Single, Info, Trace, MachineAndFile)             \
  STAT(237, perf_aux_lost, Single, DataLoss, Trace, MachineAndFile)            \
  STAT(238, perf_aux_truncated, Single, DataLoss, Trace, MachineAndFile)       \
  STAT(239, perf_aux_partial, Single, DataLoss, Trace, MachineAndFile)         \
  STAT(240, perf_aux_collision, Single, DataLoss, Trace, MachineAndFile)       \
  STAT(417, perf_data_bad_record, Single, Error, Trace, MachineAndFile)        \
  STAT(418, perf_data_tracepoint_error, Single, Error, Trace, MachineAndFile)

TB_DECLARE_STATS(TB_PERF_STATS)
