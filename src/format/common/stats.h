// Stats that readers of several formats count.
#pragma once

#include "event/stat.h"

#define TB_FORMAT_STATS(STAT)                                                                      \
  STAT(3, android_log_format_invalid, Single, Error, Trace, MachineAndFile, LostEvents,            \
       "A line of a log has none of the known layouts. The line is no row of android_logs. "       \
       "Record with 'logcat -v threadtime' or another standard layout.")                           \
  STAT(60, fuchsia_invalid_event, Single, Error, Analysis, MachineAndFile, LostEvents,             \
       "An event of a Fuchsia trace refers to a missing thread or lacks a required part. The "     \
       "event is on no row. Check the program that wrote the trace.")                              \
  STAT(110, flow_invalid_id, Single, Error, Trace, MachineAndFile, LostEvents,                     \
       "A flow event has no id that can be read. The event is on no row of flow. Check the "       \
       "program that wrote the trace.")                                                            \
  STAT(191, json_parser_failure, Single, Error, Trace, MachineAndFile, Noted,                      \
       "A JSON event lacks something that its phase needs. The stats json_event_incomplete, "      \
       "json_record_invalid, json_counter_value_invalid, json_complete_without_dur, "              \
       "json_name_missing and json_hint_invalid count the same events by what happened to them.")  \
  STAT(224, perf_cpu_lost_records, Indexed, DataLoss, Trace, MachineAndFile, LostData,             \
       "The kernel lost samples of this CPU. These samples are not in the file. Use a larger "     \
       "buffer or sample less often.")                                                             \
  STAT(392, clock_sync_parse_error, Single, Error, Trace, MachineAndFile, LostData,                \
       "A clock sync marker lacks its id or a time, or has no counterpart. The marker does not "   \
       "relate clocks. Check the program that wrote the file.")                                    \
  STAT(394, embedded_trace_unrecognised, Single, Error, Trace, MachineAndFile, LostData,           \
       "A trace inside the file has no known format. The trace is not imported. Extract it and "   \
       "open it on its own.")                                                                      \
  STAT(409, v8_profile_length_mismatch, Single, Error, Trace, MachineAndFile, LostData,            \
       "A V8 profile has lists of samples and times of different lengths. The samples without a "  \
       "time are on no row. Check the program that wrote the file.")                               \
  STAT(410, v8_profile_unknown_node, Single, Error, Trace, MachineAndFile, LostData,               \
       "A sample of a V8 profile names a node that does not exist. The sample has no callstack. "  \
       "Check the program that wrote the file.")                                                   \
  STAT(411, v8_profile_without_start, Single, Error, Trace, MachineAndFile, Repaired,              \
       "A V8 profile has no start time. In JSON its samples begin at the time of its first part; " \
       "in a protobuf trace they have no time and are counted by "                                 \
       "legacy_v8_cpu_profile_invalid_sample. Check whether the start of the profile is "          \
       "missing.")                                                                                 \
  STAT(416, collapsed_bad_line, Single, Error, Trace, MachineAndFile, LostEvents,                  \
       "A line of collapsed stacks has no count or no stack. The line is on no row. Check the "    \
       "program that wrote the file.")                                                             \
  STAT(433, json_record_invalid, Single, DataLoss, Trace, MachineAndFile, LostEvents,              \
       "A sample, span or annotation outside of traceEvents lacks a required member. The record "  \
       "is on no row. Check the program that wrote the file.")

TB_DECLARE_STATS(TB_FORMAT_STATS)
