// Stats that the readers of proto/profile/ count.
#pragma once

#include "event/stat.h"

#define TB_PROTO_PROFILE_STATS(STAT)                                                    \
  STAT(112, stackprofile_empty_callstack, Single, Error, Trace, MachineAndFile)         \
  STAT(113, stackprofile_invalid_string_id, Single, Error, Trace, MachineAndFile)       \
  STAT(116, stackprofile_invalid_callstack_id, Single, Error, Trace, MachineAndFile)    \
  STAT(117, stackprofile_parser_error, Single, Error, Trace, MachineAndFile)            \
  STAT(118, smaps_parser_errors, Single, Error, Trace, MachineAndFile)                  \
  STAT(194, heap_graph_malformed_packet, Indexed, Error, Trace, Global)                 \
  STAT(195, heap_graph_missing_packet, Indexed, Error, Trace, Global)                   \
  STAT(196, heapprofd_buffer_corrupted, Indexed, Error, Trace, MachineAndFile)          \
  STAT(197, heapprofd_hit_guardrail, Indexed, Error, Trace, MachineAndFile)             \
  STAT(198, heapprofd_buffer_overran, Indexed, DataLoss, Trace, MachineAndFile)         \
  STAT(199, heapprofd_client_error, Indexed, Error, Trace, MachineAndFile)              \
  STAT(200, heapprofd_client_disconnected, Indexed, Info, Trace, MachineAndFile)        \
  STAT(202, heapprofd_missing_packet, Single, Error, Trace, MachineAndFile)             \
  STAT(203, heapprofd_rejected_concurrent, Indexed, Error, Trace, MachineAndFile)       \
  STAT(204, heapprofd_non_finalized_profile, Single, Error, Trace, MachineAndFile)      \
  STAT(205, heapprofd_sampling_interval_adjusted, Indexed, Info, Trace, MachineAndFile) \
  STAT(206, heapprofd_unwind_time_us, Indexed, Info, Trace, MachineAndFile)             \
  STAT(207, heapprofd_unwind_samples, Indexed, Info, Trace, MachineAndFile)             \
  STAT(208, heapprofd_client_spinlock_blocked, Indexed, Info, Trace, MachineAndFile)    \
  STAT(209, heapprofd_last_profile_timestamp, Indexed, Info, Trace, MachineAndFile)     \
  STAT(225, perf_process_shard_count, Indexed, Info, Trace, MachineAndFile)             \
  STAT(226, perf_chosen_process_shard, Indexed, Info, Trace, MachineAndFile)            \
  STAT(227, perf_guardrail_stop_ts, Indexed, DataLoss, Trace, MachineAndFile)           \
  STAT(230, perf_samples_skipped, Single, Error, Analysis, MachineAndFile)              \
  STAT(233, perf_samples_skipped_dataloss, Single, DataLoss, Trace, MachineAndFile)     \
  STAT(246, memory_snapshot_parser_failure, Single, Error, Analysis, MachineAndFile)    \
  STAT(255, v8_intern_errors, Single, DataLoss, Analysis, MachineAndFile)               \
  STAT(256, v8_isolate_has_no_code_range, Single, Error, Analysis, MachineAndFile)      \
  STAT(257, v8_no_defaults, Single, DataLoss, Analysis, MachineAndFile)                 \
  STAT(258, v8_no_code_range, Single, Error, Analysis, MachineAndFile)                  \
  STAT(259, v8_unknown_code_type, Single, Error, Analysis, MachineAndFile)              \
  STAT(260, v8_code_load_missing_code_range, Single, Error, Analysis, MachineAndFile)   \
  STAT(348, heap_graph_non_finalized_graph, Single, DataLoss, Trace, Global)

TB_DECLARE_STATS(TB_PROTO_PROFILE_STATS)
