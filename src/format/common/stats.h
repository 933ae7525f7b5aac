// Stats that readers of several formats count.
#pragma once

#include "event/stat.h"

#define TB_FORMAT_STATS(STAT)                                                  \
  STAT(3, android_log_format_invalid, Single, Error, Trace, MachineAndFile)    \
  STAT(60, fuchsia_invalid_event, Single, Error, Analysis, MachineAndFile)     \
  STAT(110, flow_invalid_id, Single, Error, Trace, MachineAndFile)             \
  STAT(191, json_parser_failure, Single, Error, Trace, MachineAndFile)         \
  STAT(224, perf_cpu_lost_records, Indexed, DataLoss, Trace, MachineAndFile)   \
  STAT(392, clock_sync_parse_error, Single, Error, Trace, MachineAndFile)      \
  STAT(394, embedded_trace_unrecognised, Single, Error, Trace, MachineAndFile) \
  STAT(409, v8_profile_length_mismatch, Single, Error, Trace, MachineAndFile)  \
  STAT(410, v8_profile_unknown_node, Single, Error, Trace, MachineAndFile)     \
  STAT(411, v8_profile_without_start, Single, Error, Trace, MachineAndFile)    \
  STAT(416, collapsed_bad_line, Single, Error, Trace, MachineAndFile)

TB_DECLARE_STATS(TB_FORMAT_STATS)
