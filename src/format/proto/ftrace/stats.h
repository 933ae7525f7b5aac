// Stats that the readers of proto/ftrace/ count.
#pragma once

#include "event/stat.h"

#define TB_PROTO_FTRACE_STATS(STAT)                                                                \
  STAT(23, ftrace_bundle_tokenizer_errors, Single, Error, Analysis, MachineAndFile, LostEvents,    \
       "A kernel event of a bundle is malformed. The event is on no row. Check whether the file "  \
       "was truncated or damaged.")                                                                \
  STAT(24, ftrace_cpu_bytes_begin, Indexed, Info, Trace, MachineAndFile, Figure,                   \
       "The bytes in the kernel's event buffer of this CPU when recording began.")                 \
  STAT(25, ftrace_cpu_bytes_end, Indexed, Info, Trace, MachineAndFile, Figure,                     \
       "The bytes in the kernel's event buffer of this CPU when recording ended.")                 \
  STAT(26, ftrace_cpu_bytes_delta, Indexed, Info, Trace, MachineAndFile, Figure,                   \
       "The growth of the bytes in the kernel's event buffer of this CPU while recording.")        \
  STAT(27, ftrace_cpu_commit_overrun_begin, Indexed, Info, Trace, MachineAndFile, Figure,          \
       "Events that the kernel had lost by nested interrupts on this CPU before recording began.") \
  STAT(28, ftrace_cpu_commit_overrun_end, Indexed, Info, Trace, MachineAndFile, Figure,            \
       "Events that the kernel had lost by nested interrupts on this CPU when recording ended.")   \
  STAT(29, ftrace_cpu_commit_overrun_delta, Indexed, Error, Trace, MachineAndFile, LostData,       \
       "The kernel lost events of this CPU, because interrupts nested too deep. These events are"  \
       " not in the file. Use a larger kernel buffer.")                                            \
  STAT(30, ftrace_cpu_dropped_events_begin, Indexed, Info, Trace, MachineAndFile, Figure,          \
       "Events that the kernel had dropped on this CPU before recording began.")                   \
  STAT(31, ftrace_cpu_dropped_events_end, Indexed, Info, Trace, MachineAndFile, Figure,            \
       "Events that the kernel had dropped on this CPU when recording ended.")                     \
  STAT(32, ftrace_cpu_dropped_events_delta, Indexed, Error, Trace, MachineAndFile, LostData,       \
       "The kernel dropped events of this CPU, because its buffer was full. These events are not"  \
       " in the file. Use a larger kernel buffer or record fewer events.")                         \
  STAT(33, ftrace_cpu_entries_begin, Indexed, Info, Trace, MachineAndFile, Figure,                 \
       "The events in the kernel's buffer of this CPU when recording began.")                      \
  STAT(34, ftrace_cpu_entries_end, Indexed, Info, Trace, MachineAndFile, Figure,                   \
       "The events in the kernel's buffer of this CPU when recording ended.")                      \
  STAT(35, ftrace_cpu_entries_delta, Indexed, Info, Trace, MachineAndFile, Figure,                 \
       "The growth of the number of events in the kernel's buffer of this CPU while recording.")   \
  STAT(36, ftrace_cpu_now_ts_begin, Indexed, Info, Trace, MachineAndFile, Figure,                  \
       "The time of the kernel's event clock on this CPU when recording began, microseconds.")     \
  STAT(37, ftrace_cpu_now_ts_end, Indexed, Info, Trace, MachineAndFile, Figure,                    \
       "The time of the kernel's event clock on this CPU when recording ended, microseconds.")     \
  STAT(38, ftrace_cpu_oldest_event_ts_begin, Indexed, Info, Trace, MachineAndFile, Figure,         \
       "The time of the oldest event in the kernel's buffer of this CPU when recording began, "    \
       "microseconds.")                                                                            \
  STAT(39, ftrace_cpu_oldest_event_ts_end, Indexed, Info, Trace, MachineAndFile, Figure,           \
       "The time of the oldest event in the kernel's buffer of this CPU when recording ended, "    \
       "microseconds.")                                                                            \
  STAT(40, ftrace_cpu_overrun_begin, Indexed, Info, Trace, MachineAndFile, Figure,                 \
       "Events that the kernel had overwritten on this CPU before recording began.")               \
  STAT(41, ftrace_cpu_overrun_end, Indexed, Info, Trace, MachineAndFile, Figure,                   \
       "Events that the kernel had overwritten on this CPU when recording ended.")                 \
  STAT(42, ftrace_cpu_overrun_delta, Indexed, Info, Trace, MachineAndFile, Noted,                  \
       "The kernel overwrote old events of this CPU with new ones. These events are not in the "   \
       "file. Use a larger kernel buffer if you need them.")                                       \
  STAT(43, ftrace_cpu_read_events_begin, Indexed, Info, Trace, MachineAndFile, Figure,             \
       "Events that had been read from the kernel's buffer of this CPU before recording began.")   \
  STAT(44, ftrace_cpu_read_events_end, Indexed, Info, Trace, MachineAndFile, Figure,               \
       "Events that had been read from the kernel's buffer of this CPU when recording ended.")     \
  STAT(45, ftrace_cpu_read_events_delta, Indexed, Info, Trace, MachineAndFile, Figure,             \
       "Events that were read from the kernel's buffer of this CPU while recording.")              \
  STAT(46, ftrace_cpu_has_data_loss, Indexed, DataLoss, Trace, MachineAndFile, LostData,           \
       "A bundle of kernel events of this CPU follows a gap. Events before the bundle are not in"  \
       " the file. Use a larger kernel buffer or drain it more often.")                            \
  STAT(47, ftrace_kprobe_hits_begin, Single, Info, Trace, MachineAndFile, Figure,                  \
       "Hits of kernel probes before recording began.")                                            \
  STAT(48, ftrace_kprobe_hits_end, Single, Info, Trace, MachineAndFile, Figure,                    \
       "Hits of kernel probes when recording ended.")                                              \
  STAT(49, ftrace_kprobe_hits_delta, Single, Info, Trace, MachineAndFile, Figure,                  \
       "Hits of kernel probes while recording.")                                                   \
  STAT(50, ftrace_kprobe_misses_begin, Single, Info, Trace, MachineAndFile, Figure,                \
       "Misses of kernel probes before recording began.")                                          \
  STAT(51, ftrace_kprobe_misses_end, Single, Info, Trace, MachineAndFile, Figure,                  \
       "Misses of kernel probes when recording ended.")                                            \
  STAT(52, ftrace_kprobe_misses_delta, Single, DataLoss, Trace, MachineAndFile, LostData,          \
       "Kernel probes missed calls. These calls are not in the file. Probe fewer or less "         \
       "frequent functions.")                                                                      \
  STAT(54, ftrace_abi_errors_skipped_zero_data_length, Single, Info, Analysis, MachineAndFile,     \
       Noted,                                                                                      \
       "The recorder skipped kernel records of length zero, an error of some kernels. Usually "    \
       "nothing is missing.")                                                                      \
  STAT(55, ftrace_generic_descriptor_errors, Single, Error, Analysis, MachineAndFile, LostData,    \
       "The descriptor of a kernel event lacks a field or contradicts another. Fields of these "   \
       "events may be missing. Check the version of the recorder.")                                \
  STAT(217, compact_sched_has_parse_errors, Single, Error, Trace, MachineAndFile, LostData,        \
       "A list of compact scheduler events is malformed. The events of the list are on no row. "   \
       "Check whether the file was damaged.")                                                      \
  STAT(280, ftrace_missing_event_id, Single, Info, Analysis, MachineAndFile, LostEvents,           \
       "A kernel event has no number of its type. The event is on no row. Check whether the file"  \
       " was damaged.")                                                                            \
  STAT(400, ftrace_event_without_pid, Single, Error, Analysis, MachineAndFile, LostEvents,         \
       "A kernel event has no thread. The event is on no row. Check whether the file was "         \
       "damaged.")

TB_DECLARE_STATS(TB_PROTO_FTRACE_STATS)
