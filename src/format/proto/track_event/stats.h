// Stats that the readers of proto/track_event/ count.
#pragma once

#include "event/stat.h"

#define TB_PROTO_TRACK_EVENT_STATS(STAT)                                                         \
  STAT(173, track_hierarchy_missing_uuid, Single, Info, Analysis, MachineAndFile)                \
  STAT(250, unknown_extension_fields, Single, Error, Trace, MachineAndFile)                      \
  STAT(284, legacy_v8_cpu_profile_invalid_callsite, Single, Error, Trace, MachineAndFile)        \
  STAT(285, legacy_v8_cpu_profile_invalid_sample, Single, Error, Trace, MachineAndFile)          \
  STAT(316, track_descriptor_missing_uuid, Single, Error, Analysis, MachineAndFile)              \
  STAT(317, track_descriptor_thread_missing_pid_tid, Single, Error, Analysis, MachineAndFile)    \
  STAT(318, track_descriptor_process_missing_pid, Single, Error, Analysis, MachineAndFile)       \
  STAT(319, track_event_missing_sequence_id, Single, Error, Analysis, MachineAndFile)            \
  STAT(320, track_event_missing_timestamp, Single, Error, Analysis, MachineAndFile)              \
  STAT(323, thread_descriptor_missing_sequence_id, Single, Error, Analysis, MachineAndFile)      \
  STAT(328, track_event_track_hierarchy_loop, Single, Error, Analysis, MachineAndFile)           \
  STAT(329, track_event_track_hierarchy_too_deep, Single, Error, Analysis, MachineAndFile)       \
  STAT(330, track_descriptor_default_track_with_parent, Single, Error, Analysis, MachineAndFile) \
  STAT(331, track_descriptor_conflicting_reservation, Single, Error, Analysis, MachineAndFile)   \
  STAT(333, track_descriptor_invalid_child_ordering, Single, Error, Analysis, MachineAndFile)    \
  STAT(334, track_event_counter_missing_track_uuid, Single, Error, Analysis, MachineAndFile)     \
  STAT(335, track_event_counter_missing_value, Single, Error, Analysis, MachineAndFile)          \
  STAT(336, track_event_counter_invalid_track_uuid, Single, Error, Analysis, MachineAndFile)     \
  STAT(337, track_event_extra_counter_missing_track_uuids, Single, Error, Analysis,              \
       MachineAndFile)                                                                           \
  STAT(338, track_event_state_missing_track_uuid, Single, Error, Analysis, MachineAndFile)       \
  STAT(339, track_event_extra_counter_track_uuid_mismatch, Single, Error, Analysis,              \
       MachineAndFile)                                                                           \
  STAT(340, track_event_extra_counter_exceeds_max, Single, Error, Analysis, MachineAndFile)      \
  STAT(341, track_event_extra_counter_invalid_track, Single, Error, Analysis, MachineAndFile)    \
  STAT(342, thread_descriptor_skipped_incremental_state_invalid, Single, Notice, Analysis,       \
       MachineAndFile)                                                                           \
  STAT(343, track_event_skipped_timestamp_delta_without_valid_state, Single, Notice, Analysis,   \
       MachineAndFile)                                                                           \
  STAT(344, track_event_skipped_thread_time_delta_without_valid_state, Single, Notice, Analysis, \
       MachineAndFile)                                                                           \
  STAT(345, track_event_skipped_thread_instruction_delta_without_valid_state, Single, Notice,    \
       Analysis, MachineAndFile)

TB_DECLARE_STATS(TB_PROTO_TRACK_EVENT_STATS)
