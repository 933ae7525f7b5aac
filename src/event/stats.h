// Stats that readers and later stages count.
#pragma once

#include "event/stat.h"

#define TB_EVENT_STATS(STAT)                                                                      \
  STAT(53, ftrace_setup_errors, Single, Notice, Trace, MachineAndFile, Noted,                     \
       "The recorder could not enable a kernel event or category. Its events are not in the "     \
       "file. The import log names it; check its spelling and the permissions of the recorder.")  \
  STAT(84, kernel_trackevent_format_error, Single, Error, Analysis, MachineAndFile, LostData,     \
       "A kernel event that describes a slice or counter lacks a field that its type needs. The " \
       "event is no slice or counter. Check the kernel module that writes it.")                   \
  STAT(114, stackprofile_invalid_mapping_id, Single, Error, Trace, MachineAndFile, LostData,      \
       "A frame of a profile refers to a mapping that was not defined. The frame has no mapping." \
       " Check whether the start of the recording is missing.")                                   \
  STAT(115, stackprofile_invalid_frame_id, Single, Error, Trace, MachineAndFile, LostData,        \
       "A callstack of a profile refers to a frame that was not defined. The callstack is "       \
       "dropped. Check whether the start of the recording is missing.")                           \
  STAT(122, task_state_invalid, Single, Error, Analysis, MachineAndFile, Repaired,                \
       "A task has a state that does not exist. The state is shown as unknown or not at all. "    \
       "Check the recorder.")                                                                     \
  STAT(248, ftrace_packet_before_tracing_start, Single, Info, Analysis, MachineAndFile, Noted,    \
       "Kernel events are older than the start of the recording. They are not imported, as in "   \
       "other viewers. They were left in the kernel buffer by an earlier recording.")             \
  STAT(313, slice_negative_duration, Single, Error, Analysis, MachineAndFile, LostEvents,         \
       "A slice has a negative duration. The slice is on no row. Check the clock of the program " \
       "that wrote the trace.")                                                                   \
  STAT(321, track_event_invalid_timestamp, Single, Error, Analysis, MachineAndFile, LostEvents,   \
       "The time of a track event does not fit into 64 bits, or is negative with --drop-"         \
       "negative. The event is on no row. Check the clock of the program that wrote it.")         \
  STAT(362, json_max_depth_exceeded, Single, Error, Trace, MachineAndFile, LostData,              \
       "A JSON value is nested too deep. The value is not in args. Raise --max-json-depth.")      \
  STAT(365, json_truncated, Single, DataLoss, Trace, MachineAndFile, LostData,                    \
       "A JSON file ends in the middle. Everything before its end is read. Copy the file again "  \
       "after recording is complete.")                                                            \
  STAT(390, object_parse_error, Single, Error, Trace, MachineAndFile, LostEvents,                 \
       "An object event lacks its id, name or snapshot, or the object does not exist. The event " \
       "is on no row. Check the program that wrote the file.")                                    \
  STAT(391, memory_dump_parse_error, Single, Error, Trace, MachineAndFile, LostData,              \
       "A part of a memory dump is malformed. The part is on no row. Check the program that "     \
       "wrote the file.")                                                                         \
  STAT(393, context_parse_error, Single, Error, Trace, MachineAndFile, LostEvents,                \
       "A context event lacks its id or name, or leaves a context that was not entered. The "     \
       "event is on no row. Check the program that wrote the file.")                              \
  STAT(397, trace_truncated, Single, DataLoss, Analysis, MachineAndFile, LostData,                \
       "A file ends in the middle of a record. Everything before its end is read. Copy the file " \
       "again after recording is complete.")                                                      \
  STAT(398, timestamp_out_of_range, Single, DataLoss, Analysis, MachineAndFile, LostEvents,       \
       "The time of an event does not fit into 64 bits of trace time. The event is on no row. "   \
       "Check the clock of the file in the manifest.")

TB_DECLARE_STATS(TB_EVENT_STATS)
