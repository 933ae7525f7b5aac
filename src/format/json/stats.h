// Stats that the reader of json counts.
#pragma once

#include "event/stat.h"

#define TB_JSON_STATS(STAT)                                                   \
  STAT(190, json_tokenizer_failure, Single, Error, Trace, MachineAndFile)     \
  STAT(192, json_display_time_unit, Single, Info, Trace, MachineAndFile)      \
  STAT(358, trace_file_empty, Single, Info, Trace, MachineAndFile)            \
  STAT(359, json_extra_comma, Single, Info, Trace, MachineAndFile)            \
  STAT(360, json_nonfinite_number, Single, Error, Trace, MachineAndFile)      \
  STAT(361, json_duplicate_key, Single, Error, Trace, MachineAndFile)         \
  STAT(363, json_concatenated_documents, Single, Info, Trace, MachineAndFile) \
  STAT(364, json_event_not_object, Single, Error, Trace, MachineAndFile)      \
  STAT(366, json_skipped_bytes, Single, DataLoss, Trace, MachineAndFile)      \
  STAT(367, json_missing_comma, Single, Info, Trace, MachineAndFile)          \
  STAT(368, json_trailing_garbage, Single, Error, Trace, MachineAndFile)      \
  STAT(369, json_trace_events_type, Single, Error, Trace, MachineAndFile)     \
  STAT(375, json_instant_bad_scope, Single, Error, Trace, MachineAndFile)     \
  STAT(376, json_stack_ignored, Single, Error, Trace, MachineAndFile)         \
  STAT(377, json_id_and_id2, Single, Error, Trace, MachineAndFile)            \
  STAT(379, json_args_not_object, Single, Error, Trace, MachineAndFile)       \
  STAT(380, json_sf_and_stack, Single, Error, Trace, MachineAndFile)          \
  STAT(381, json_stack_frame_missing, Single, Error, Trace, MachineAndFile)   \
  STAT(382, json_stack_frame_cycle, Single, Error, Trace, MachineAndFile)     \
  STAT(383, json_unknown_phase, Single, Error, Trace, MachineAndFile)         \
  STAT(384, json_unknown_cname, Single, Error, Trace, MachineAndFile)         \
  STAT(385, json_pid_type, Single, Error, Trace, MachineAndFile)              \
  STAT(386, json_name_type, Single, Error, Trace, MachineAndFile)             \
  STAT(387, json_metadata_truncated, Single, DataLoss, Trace, MachineAndFile) \
  STAT(389, flow_bad_bind_point, Single, Error, Trace, MachineAndFile)        \
  STAT(406, clock_domain_unknown, Single, Info, Analysis, MachineAndFile)     \
  STAT(407, json_metadata_error, Single, Error, Trace, MachineAndFile)        \
  STAT(408, json_sample_unknown_tid, Single, Error, Trace, MachineAndFile)    \
  STAT(427, low_resolution_timer, Single, Info, Trace, MachineAndFile)

TB_DECLARE_STATS(TB_JSON_STATS)
