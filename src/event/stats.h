// Stats that readers and later stages count.
#pragma once

#include "event/stat.h"

#define TB_EVENT_STATS(STAT)                                                            \
  STAT(53, ftrace_setup_errors, Single, Notice, Trace, MachineAndFile)                  \
  STAT(84, kernel_trackevent_format_error, Single, Error, Analysis, MachineAndFile)     \
  STAT(114, stackprofile_invalid_mapping_id, Single, Error, Trace, MachineAndFile)      \
  STAT(115, stackprofile_invalid_frame_id, Single, Error, Trace, MachineAndFile)        \
  STAT(122, task_state_invalid, Single, Error, Analysis, MachineAndFile)                \
  STAT(248, ftrace_packet_before_tracing_start, Single, Info, Analysis, MachineAndFile) \
  STAT(313, slice_negative_duration, Single, Error, Analysis, MachineAndFile)           \
  STAT(321, track_event_invalid_timestamp, Single, Error, Analysis, MachineAndFile)     \
  STAT(362, json_max_depth_exceeded, Single, Error, Trace, MachineAndFile)              \
  STAT(365, json_truncated, Single, DataLoss, Trace, MachineAndFile)                    \
  STAT(390, object_parse_error, Single, Error, Trace, MachineAndFile)                   \
  STAT(391, memory_dump_parse_error, Single, Error, Trace, MachineAndFile)              \
  STAT(393, context_parse_error, Single, Error, Trace, MachineAndFile)                  \
  STAT(397, trace_truncated, Single, DataLoss, Analysis, MachineAndFile)                \
  STAT(398, timestamp_out_of_range, Single, DataLoss, Analysis, MachineAndFile)

TB_DECLARE_STATS(TB_EVENT_STATS)
