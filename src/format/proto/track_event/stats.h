// Stats that the readers of proto/track_event/ count.
#pragma once

#include "event/stat.h"

#define TB_PROTO_TRACK_EVENT_STATS(STAT)                                                           \
  STAT(173, track_hierarchy_missing_uuid, Single, Info, Analysis, MachineAndFile, LostData,        \
       "A track names a parent without a descriptor. Events of the track are on no row, and "      \
       "counted as track_event_dropped. Check whether the descriptor was written.")                \
  STAT(250, unknown_extension_fields, Single, Error, Trace, MachineAndFile, LostData,              \
       "A track event has extension fields without a descriptor. Their values are not in args. "   \
       "Pass the descriptor with --proto-descriptors.")                                            \
  STAT(284, legacy_v8_cpu_profile_invalid_callsite, Single, Error, Trace, MachineAndFile,          \
       LostData,                                                                                   \
       "A node of a V8 profile refers to a missing parent. The node starts a callstack of its "    \
       "own. Check whether the start of the profile is missing.")                                  \
  STAT(285, legacy_v8_cpu_profile_invalid_sample, Single, Error, Trace, MachineAndFile,            \
       LostEvents,                                                                                 \
       "A sample of a V8 profile refers to a missing node or has no time. The sample is on no "    \
       "row. Check whether the start of the profile is missing.")                                  \
  STAT(316, track_descriptor_missing_uuid, Single, Error, Analysis, MachineAndFile, LostData,      \
       "A track descriptor has no uuid. The track cannot be named. Check the program that wrote "  \
       "it.")                                                                                      \
  STAT(317, track_descriptor_thread_missing_pid_tid, Single, Error, Analysis, MachineAndFile,      \
       LostData,                                                                                   \
       "The descriptor of a thread track lacks its process or thread. The descriptor is ignored."  \
       " Check the program that wrote it.")                                                        \
  STAT(318, track_descriptor_process_missing_pid, Single, Error, Analysis, MachineAndFile,         \
       LostData,                                                                                   \
       "The descriptor of a process track lacks its process. The descriptor is ignored. Check "    \
       "the program that wrote it.")                                                               \
  STAT(319, track_event_missing_sequence_id, Single, Error, Analysis, MachineAndFile, LostEvents,  \
       "A track event belongs to no sequence. The event is on no row. Check the program that "     \
       "wrote it.")                                                                                \
  STAT(320, track_event_missing_timestamp, Single, Error, Analysis, MachineAndFile, LostEvents,    \
       "A track event has no time. The event is on no row. Check the program that wrote it.")      \
  STAT(323, thread_descriptor_missing_sequence_id, Single, Error, Analysis, MachineAndFile,        \
       LostData,                                                                                   \
       "A thread descriptor belongs to no sequence. The thread has no name from it. Check the "    \
       "program that wrote it.")                                                                   \
  STAT(328, track_event_track_hierarchy_loop, Single, Error, Analysis, MachineAndFile, LostData,   \
       "Tracks are parents of each other. Events of these tracks are on no row, and counted as "   \
       "track_event_dropped. Check the descriptors of tracks.")                                    \
  STAT(329, track_event_track_hierarchy_too_deep, Single, Error, Analysis, MachineAndFile,         \
       LostData,                                                                                   \
       "Tracks are nested too deep. Events of the innermost are on no row, and counted as "        \
       "track_event_dropped. Check the descriptors of tracks.")                                    \
  STAT(330, track_descriptor_default_track_with_parent, Single, Error, Analysis, MachineAndFile,   \
       Repaired,                                                                                   \
       "The default track has a parent. The parent is ignored. Check the descriptors of tracks.")  \
  STAT(331, track_descriptor_conflicting_reservation, Single, Error, Analysis, MachineAndFile,     \
       Repaired,                                                                                   \
       "Two descriptors define one track differently. The first one applies. Check the "           \
       "descriptors of tracks.")                                                                   \
  STAT(333, track_descriptor_invalid_child_ordering, Single, Error, Analysis, MachineAndFile,      \
       Repaired,                                                                                   \
       "A track descriptor has an unknown order of its children. The descriptor is ignored. "      \
       "Check the program that wrote it.")                                                         \
  STAT(334, track_event_counter_missing_track_uuid, Single, Error, Analysis, MachineAndFile,       \
       LostEvents,                                                                                 \
       "A counter value names no track. The value is on no row. Check the program that wrote it.") \
  STAT(335, track_event_counter_missing_value, Single, Error, Analysis, MachineAndFile,            \
       LostEvents,                                                                                 \
       "A counter event has no value. The event is on no row. Check the program that wrote it.")   \
  STAT(336, track_event_counter_invalid_track_uuid, Single, Error, Analysis, MachineAndFile,       \
       LostEvents,                                                                                 \
       "A counter value names a track that is no counter. The value is on no row. Check the "      \
       "descriptor of the track.")                                                                 \
  STAT(337, track_event_extra_counter_missing_track_uuids, Single, Error, Analysis,                \
       MachineAndFile, LostEvents,                                                                 \
       "A track event has extra counter values, but names no tracks for them. The event is on no " \
       "row. Check the program that wrote it.")                                                    \
  STAT(338, track_event_state_missing_track_uuid, Single, Error, Analysis, MachineAndFile,         \
       LostEvents,                                                                                 \
       "A state names no track. The state is on no row. Check the program that wrote it.")         \
  STAT(339, track_event_extra_counter_track_uuid_mismatch, Single, Error, Analysis,                \
       MachineAndFile, LostEvents,                                                                 \
       "A track event has more extra counter values than tracks. The event is on no row. Check "   \
       "the program that wrote it.")                                                               \
  STAT(340, track_event_extra_counter_exceeds_max, Single, Error, Analysis, MachineAndFile,        \
       LostEvents,                                                                                 \
       "A track event has too many extra counter values. The event is on no row. Split the "       \
       "values over several events.")                                                              \
  STAT(341, track_event_extra_counter_invalid_track, Single, Error, Analysis, MachineAndFile,      \
       LostEvents,                                                                                 \
       "An extra counter value names a track that is no counter. The event is on no row. Check "   \
       "the descriptors of tracks.")                                                               \
  STAT(342, thread_descriptor_skipped_incremental_state_invalid, Single, Notice, Analysis,         \
       MachineAndFile, LostData,                                                                   \
       "A thread descriptor follows a gap of its sequence. The descriptor is ignored. Use a "      \
       "larger buffer.")                                                                           \
  STAT(343, track_event_skipped_timestamp_delta_without_valid_state, Single, Notice, Analysis,     \
       MachineAndFile, LostEvents,                                                                 \
       "A track event follows a gap and its time depends on lost packets. The event is on no "     \
       "row. Use a larger buffer.")                                                                \
  STAT(344, track_event_skipped_thread_time_delta_without_valid_state, Single, Notice, Analysis,   \
       MachineAndFile, LostEvents,                                                                 \
       "A track event follows a gap and its CPU time depends on lost packets. The event is on no"  \
       " row. Use a larger buffer.")                                                               \
  STAT(345, track_event_skipped_thread_instruction_delta_without_valid_state, Single, Notice,      \
       Analysis, MachineAndFile, LostEvents,                                                       \
       "A track event follows a gap and its instruction count depends on lost packets. The event " \
       "is on no row. Use a larger buffer.")                                                       \
  STAT(                                                                                            \
      441, track_event_dropped, Single, Error, Analysis, MachineAndFile, LostEvents,               \
      "A track event lacks its phase, thread, id or track, or is shorter than 0. The event is on " \
      "no row. Check the program that wrote it.")

TB_DECLARE_STATS(TB_PROTO_TRACK_EVENT_STATS)
