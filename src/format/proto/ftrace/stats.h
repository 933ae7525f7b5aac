// Stats that the readers of proto/ftrace/ count.
#pragma once

#include "event/stat.h"

#define TB_PROTO_FTRACE_STATS(STAT)                                                            \
  STAT(23, ftrace_bundle_tokenizer_errors, Single, Error, Analysis, MachineAndFile)            \
  STAT(24, ftrace_cpu_bytes_begin, Indexed, Info, Trace, MachineAndFile)                       \
  STAT(25, ftrace_cpu_bytes_end, Indexed, Info, Trace, MachineAndFile)                         \
  STAT(26, ftrace_cpu_bytes_delta, Indexed, Info, Trace, MachineAndFile)                       \
  STAT(27, ftrace_cpu_commit_overrun_begin, Indexed, Info, Trace, MachineAndFile)              \
  STAT(28, ftrace_cpu_commit_overrun_end, Indexed, Info, Trace, MachineAndFile)                \
  STAT(29, ftrace_cpu_commit_overrun_delta, Indexed, Error, Trace, MachineAndFile)             \
  STAT(30, ftrace_cpu_dropped_events_begin, Indexed, Info, Trace, MachineAndFile)              \
  STAT(31, ftrace_cpu_dropped_events_end, Indexed, Info, Trace, MachineAndFile)                \
  STAT(32, ftrace_cpu_dropped_events_delta, Indexed, Error, Trace, MachineAndFile)             \
  STAT(33, ftrace_cpu_entries_begin, Indexed, Info, Trace, MachineAndFile)                     \
  STAT(34, ftrace_cpu_entries_end, Indexed, Info, Trace, MachineAndFile)                       \
  STAT(35, ftrace_cpu_entries_delta, Indexed, Info, Trace, MachineAndFile)                     \
  STAT(36, ftrace_cpu_now_ts_begin, Indexed, Info, Trace, MachineAndFile)                      \
  STAT(37, ftrace_cpu_now_ts_end, Indexed, Info, Trace, MachineAndFile)                        \
  STAT(38, ftrace_cpu_oldest_event_ts_begin, Indexed, Info, Trace, MachineAndFile)             \
  STAT(39, ftrace_cpu_oldest_event_ts_end, Indexed, Info, Trace, MachineAndFile)               \
  STAT(40, ftrace_cpu_overrun_begin, Indexed, Info, Trace, MachineAndFile)                     \
  STAT(41, ftrace_cpu_overrun_end, Indexed, Info, Trace, MachineAndFile)                       \
  STAT(42, ftrace_cpu_overrun_delta, Indexed, Info, Trace, MachineAndFile)                     \
  STAT(43, ftrace_cpu_read_events_begin, Indexed, Info, Trace, MachineAndFile)                 \
  STAT(44, ftrace_cpu_read_events_end, Indexed, Info, Trace, MachineAndFile)                   \
  STAT(45, ftrace_cpu_read_events_delta, Indexed, Info, Trace, MachineAndFile)                 \
  STAT(46, ftrace_cpu_has_data_loss, Indexed, DataLoss, Trace, MachineAndFile)                 \
  STAT(47, ftrace_kprobe_hits_begin, Single, Info, Trace, MachineAndFile)                      \
  STAT(48, ftrace_kprobe_hits_end, Single, Info, Trace, MachineAndFile)                        \
  STAT(49, ftrace_kprobe_hits_delta, Single, Info, Trace, MachineAndFile)                      \
  STAT(50, ftrace_kprobe_misses_begin, Single, Info, Trace, MachineAndFile)                    \
  STAT(51, ftrace_kprobe_misses_end, Single, Info, Trace, MachineAndFile)                      \
  STAT(52, ftrace_kprobe_misses_delta, Single, DataLoss, Trace, MachineAndFile)                \
  STAT(54, ftrace_abi_errors_skipped_zero_data_length, Single, Info, Analysis, MachineAndFile) \
  STAT(55, ftrace_generic_descriptor_errors, Single, Error, Analysis, MachineAndFile)          \
  STAT(217, compact_sched_has_parse_errors, Single, Error, Trace, MachineAndFile)              \
  STAT(280, ftrace_missing_event_id, Single, Info, Analysis, MachineAndFile)                   \
  STAT(400, ftrace_event_without_pid, Single, Error, Analysis, MachineAndFile)

TB_DECLARE_STATS(TB_PROTO_FTRACE_STATS)
