// Stats that assembling the tables counts.
#pragma once

#include "event/stat.h"

#define TB_ASSEMBLE_STATS(STAT)                                                                   \
  STAT(14, deobfuscate_location_parse_error, Single, Error, Analysis, Global, LostData,           \
       "A file of an Android app has a path without the name of its package. Its frames keep "    \
       "their obfuscated names. Report the path, so that it can be added.")                       \
  STAT(56, ftrace_thermal_exynos_acpm_unknown_tz_id, Single, Error, Analysis, MachineAndFile,     \
       LostData,                                                                                  \
       "A thermal event names an unknown zone. The event is on no counter. Report the zone, so "  \
       "that it can be added.")                                                                   \
  STAT(65, generic_task_state_invalid_order, Single, Error, Analysis, MachineAndFile, Repaired,   \
       "States of a task come in an impossible order. The state is shown as the events order it." \
       " Check the clock of the recorder.")                                                       \
  STAT(92, mismatched_sched_switch_tids, Single, Error, Analysis, MachineAndFile, Repaired,       \
       "A scheduler switch starts from another task than the last switch of this CPU ended at. "  \
       "The running time of a task ends early, because switches are missing. Use a larger kernel" \
       " buffer.")                                                                                \
  STAT(93, mm_unknown_type, Single, Error, Analysis, MachineAndFile, LostData,                    \
       "A memory event of the kernel has an unknown type. The event is on no counter. Report the" \
       " type, so that it can be added.")                                                         \
  STAT(99, rss_stat_negative_size, Single, Info, Analysis, MachineAndFile, Repaired,              \
       "A memory size of a process is negative, because the kernel counts without locks. The "    \
       "value is not shown. Nothing to do.")                                                      \
  STAT(100, rss_stat_unknown_thread_for_mm_id, Single, Info, Analysis, MachineAndFile, Noted,     \
       "A memory size belongs to a process that no other event names. The value is not shown. "   \
       "Usual for processes that ended long ago.")                                                \
  STAT(106, flow_duplicate_id, Single, Error, Trace, MachineAndFile, LostEvents,                  \
       "A flow starts with an id whose flow has not ended. The second start is on no row of "     \
       "flow. Give each flow its own id.")                                                        \
  STAT(107, flow_no_enclosing_slice, Single, Error, Trace, MachineAndFile, LostEvents,            \
       "A flow event lies in no slice of its thread. The event is on no row of flow. Emit flow "  \
       "events between begin and end of a slice, or for f before the next slice of the thread.")  \
  STAT(108, flow_step_without_start, Single, Info, Trace, MachineAndFile, Repaired,               \
       "A flow continues that has not started. In JSON it starts a flow; in protobuf traces "     \
       "flow_step_dropped counts it, too. Usual where recording began in the middle of a flow.")  \
  STAT(109, flow_end_without_start, Single, Info, Trace, MachineAndFile, Unpaired,                \
       "A flow ends that has not started. The event is on no row of flow. Usual where recording " \
       "began in the middle of a flow.")                                                          \
  STAT(111, flow_without_direction, Single, Error, Trace, MachineAndFile, LostData,               \
       "A slice names a flow, but not whether the flow enters or leaves. The flow is no row of "  \
       "flow. Set flow_in or flow_out.")                                                          \
  STAT(188, process_tracker_parent_pid_changed, Single, Info, Analysis, MachineAndFile, Noted,    \
       "The parent of a process changed. The table process shows one of the parents. Usual when " \
       "the first parent ended.")                                                                 \
  STAT(201, heapprofd_malformed_packet, Indexed, Error, Trace, MachineAndFile, LostData,          \
       "The totals of a callstack in a heap profile are smaller than before. The values of this " \
       "dump are dropped. Check the version of the profiler.")                                    \
  STAT(210, symbolization_tmp_build_id_not_found, Single, Error, Analysis, MachineAndFile,        \
       LostData,                                                                                  \
       "Code of /data/local/tmp has no build id. Its frames get no symbols from other files. "    \
       "Link the program with --build-id.")                                                       \
  STAT(218, misplaced_end_event, Single, DataLoss, Analysis, MachineAndFile, Repaired,            \
       "A slice ended while slices inside it were open. The inner slices end with it. Check that" \
       " the program ends slices in reverse order.")                                              \
  STAT(219, truncated_sys_write_duration, Single, Info, Analysis, MachineAndFile, Repaired,       \
       "A write to the trace itself would not have ended in the file. Its slice is cut. Nothing " \
       "to do.")                                                                                  \
  STAT(220, compact_sched_switch_skipped, Single, Info, Analysis, MachineAndFile, Noted,          \
       "The first compact switch of a CPU does not tell which task ran before. No running time "  \
       "is derived from it. One for each CPU is normal.")                                         \
  STAT(221, compact_sched_waking_skipped, Single, Info, Analysis, MachineAndFile, Noted,          \
       "A compact waking lies before the first switch of its CPU. No state is derived from it. A" \
       " few for each CPU are normal.")                                                           \
  STAT(306, slice_drop_overlapping_complete_event, Single, Error, Analysis, MachineAndFile,       \
       LostEvents,                                                                                \
       "A slice partly overlaps another one of its track. The slice is on no row. Put slices "    \
       "that overlap on tracks of their own.")                                                    \
  STAT(307, slice_spill_overlapping_complete_event, Single, Error, Analysis, MachineAndFile,      \
       Repaired,                                                                                  \
       "A complete slice partly overlaps another one of its thread. The slice is on an extra "    \
       "track of the thread. Check the times, or put the slices on tracks of their own.")         \
  STAT(314, slice_max_depth_exceeded, Single, Error, Analysis, MachineAndFile, LostEvents,        \
       "A slice lies deeper than 512 slices. The slice is on no row. Check for begins without an" \
       " end; the import log gives the times.")                                                   \
  STAT(315, gpu_work_period_negative_duration, Single, Error, Analysis, MachineAndFile, LostData, \
       "A period of GPU work ends before it starts. The period is on no row. Check the driver.")  \
  STAT(370, json_end_category_mismatch, Single, Error, Trace, MachineAndFile, Repaired,           \
       "An end event has another category than the slice that it ends. The slice ends by its "    \
       "name. Check the program that wrote the file.")                                            \
  STAT(371, json_end_without_begin, Single, Error, Trace, MachineAndFile, LostEvents,             \
       "An end event of a thread ends no open slice. The event is on no row. Usual where "        \
       "recording began in the middle; json_end_name_mismatch counts those that name another "    \
       "slice than the open one.")                                                                \
  STAT(372, json_async_end_without_begin, Single, Error, Trace, MachineAndFile, Unpaired,         \
       "An end event of an async slice ends no open slice. The event is on no row. Usual where "  \
       "recording began in the middle.")                                                          \
  STAT(373, json_async_restart, Single, Error, Trace, MachineAndFile, LostEvents,                 \
       "An async slice of the old kind starts while it is open. The second start is on no row. "  \
       "Give each async slice its own id.")                                                       \
  STAT(374, json_async_mixed_steps, Single, Error, Trace, MachineAndFile, LostEvents,             \
       "An async slice has steps of both kinds, T and p. The later step is on no row. Use one "   \
       "kind.")                                                                                   \
  STAT(378, json_arg_override, Single, Error, Trace, MachineAndFile, Repaired,                    \
       "An end event has an argument that the begin has, too, with another value. The value of "  \
       "the end is shown.")                                                                       \
  STAT(419, atrace_unmatched_end, Single, Info, Trace, MachineAndFile, Unpaired,                  \
       "An app ends a slice that did not begin in the file. The end is on no row. Usual where "   \
       "recording began in the middle.")                                                          \
  STAT(434, json_end_name_mismatch, Single, Info, Trace, MachineAndFile, Noted,                   \
       "An end event names another slice than the innermost open one of its thread, which "       \
       "therefore stays open. json_end_without_begin counts the event. Open the trace with "      \
       "--lenient-ends to end the innermost slice, as other viewers do.")                         \
  STAT(435, flow_step_dropped, Single, DataLoss, Trace, MachineAndFile, Unpaired,                 \
       "A flow of a protobuf trace continues that has not started, or more render stages of a "   \
       "GPU share an event id than the limit. The event is on no row of flow. Usual where "       \
       "recording began in the middle of a flow.")                                                \
  STAT(437, flow_start_without_end, Single, Info, Trace, MachineAndFile, Unpaired,                \
       "A flow of a JSON trace starts, but no event with its id, name and category follows. The " \
       "event "                                                                                   \
       "is on no row of flow. Usual where recording ended in the middle of a flow.")              \
  STAT(448, arg_sets_dropped, Single, DataLoss, Analysis, Global, LostData,                       \
       "The trace has more than 2^31 args. The rows of the later events have no args. Import a "  \
       "part of the trace.")

TB_DECLARE_STATS(TB_ASSEMBLE_STATS)
