// Stats that assembling the tables counts.
#pragma once

#include "event/stat.h"

#define TB_ASSEMBLE_STATS(STAT)                                                               \
  STAT(56, ftrace_thermal_exynos_acpm_unknown_tz_id, Single, Error, Analysis, MachineAndFile) \
  STAT(65, generic_task_state_invalid_order, Single, Error, Analysis, MachineAndFile)         \
  STAT(92, mismatched_sched_switch_tids, Single, Error, Analysis, MachineAndFile)             \
  STAT(93, mm_unknown_type, Single, Error, Analysis, MachineAndFile)                          \
  STAT(99, rss_stat_negative_size, Single, Info, Analysis, MachineAndFile)                    \
  STAT(100, rss_stat_unknown_thread_for_mm_id, Single, Info, Analysis, MachineAndFile)        \
  STAT(106, flow_duplicate_id, Single, Error, Trace, MachineAndFile)                          \
  STAT(107, flow_no_enclosing_slice, Single, Error, Trace, MachineAndFile)                    \
  STAT(108, flow_step_without_start, Single, Info, Trace, MachineAndFile)                     \
  STAT(109, flow_end_without_start, Single, Info, Trace, MachineAndFile)                      \
  STAT(111, flow_without_direction, Single, Error, Trace, MachineAndFile)                     \
  STAT(188, process_tracker_parent_pid_changed, Single, Info, Analysis, MachineAndFile)       \
  STAT(218, misplaced_end_event, Single, DataLoss, Analysis, MachineAndFile)                  \
  STAT(219, truncated_sys_write_duration, Single, Info, Analysis, MachineAndFile)             \
  STAT(220, compact_sched_switch_skipped, Single, Info, Analysis, MachineAndFile)             \
  STAT(221, compact_sched_waking_skipped, Single, Info, Analysis, MachineAndFile)             \
  STAT(306, slice_drop_overlapping_complete_event, Single, Error, Analysis, MachineAndFile)   \
  STAT(307, slice_spill_overlapping_complete_event, Single, Error, Analysis, MachineAndFile)  \
  STAT(314, slice_max_depth_exceeded, Single, Error, Analysis, MachineAndFile)                \
  STAT(315, gpu_work_period_negative_duration, Single, Error, Analysis, MachineAndFile)       \
  STAT(370, json_end_category_mismatch, Single, Error, Trace, MachineAndFile)                 \
  STAT(371, json_end_without_begin, Single, Error, Trace, MachineAndFile)                     \
  STAT(372, json_async_end_without_begin, Single, Error, Trace, MachineAndFile)               \
  STAT(373, json_async_restart, Single, Error, Trace, MachineAndFile)                         \
  STAT(374, json_async_mixed_steps, Single, Error, Trace, MachineAndFile)                     \
  STAT(378, json_arg_override, Single, Error, Trace, MachineAndFile)                          \
  STAT(419, atrace_unmatched_end, Single, Info, Trace, MachineAndFile)

TB_DECLARE_STATS(TB_ASSEMBLE_STATS)
