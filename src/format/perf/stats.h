// Stats that the reader of perf counts.
#pragma once

#include "event/stat.h"

#define TB_PERF_STATS(STAT)                                                                       \
  STAT(228, perf_unknown_record_type, Indexed, Info, Analysis, MachineAndFile, Noted,             \
       "A record of a perf file has a type that is not imported. The index is the type.")         \
  STAT(234, perf_dummy_mapping_used, Single, Info, Analysis, MachineAndFile, Repaired,            \
       "An address of a perf sample lies in no known mapping. The frame has a placeholder as "    \
       "mapping. Record with the mappings of all processes.")                                     \
  STAT(236, perf_aux_ignored, Single, Info, Trace, MachineAndFile, Noted,                         \
       "A perf file holds hardware trace data, such as Intel PT. tracebraid does not decode it. " \
       "Decode it with 'perf script' first.")                                                     \
  STAT(237, perf_aux_lost, Single, DataLoss, Trace, MachineAndFile, LostData,                     \
       "Bytes of hardware trace data are missing between records. This data is not in the file. " \
       "Use a larger AUX buffer.")                                                                \
  STAT(238, perf_aux_truncated, Single, DataLoss, Trace, MachineAndFile, LostData,                \
       "The kernel truncated hardware trace data, because its buffer was full. The rest is not "  \
       "in the file. Use a larger AUX buffer.")                                                   \
  STAT(239, perf_aux_partial, Single, DataLoss, Trace, MachineAndFile, LostData,                  \
       "A record of hardware trace data is partial. Some data is not in the file. Use a larger "  \
       "AUX buffer.")                                                                             \
  STAT(240, perf_aux_collision, Single, DataLoss, Trace, MachineAndFile, LostData,                \
       "Samples of hardware trace data collided. Some samples are not in the file. Sample less "  \
       "often.")                                                                                  \
  STAT(417, perf_data_bad_record, Single, Error, Trace, MachineAndFile, LostEvents,               \
       "A record of a perf file is malformed. The record is on no row. Check whether the file "   \
       "was damaged.")                                                                            \
  STAT(418, perf_data_tracepoint_error, Single, Error, Trace, MachineAndFile, Repaired,           \
       "The fields of a kernel event of a perf file could not be read. The event has no "         \
       "arguments. Record the formats of events, too.")

TB_DECLARE_STATS(TB_PERF_STATS)
