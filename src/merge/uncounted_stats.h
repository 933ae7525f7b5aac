// Stats of the reference that tracebraid never counts; `stats` has rows for them, too.
#pragma once

#include "event/stat.h"

#define TB_UNCOUNTED_STATS(STAT)                                                                   \
  STAT(6, android_video_size_cap_hit, Single, DataLoss, Trace, MachineAndFile, LostData,           \
       "The recorder stopped a screen recording at its limit of size. The video ends early. "      \
       "tracebraid does not count this stat.")                                                     \
  STAT(7, android_video_codec_error, Single, Error, Trace, MachineAndFile, LostData,               \
       "The video encoder of the device failed. The screen recording is incomplete. tracebraid "   \
       "does not count this stat.")                                                                \
  STAT(8, android_video_display_gone, Single, Error, Trace, MachineAndFile, LostData,              \
       "The recorded display disappeared. The screen recording ends early. tracebraid does not "   \
       "count this stat.")                                                                         \
  STAT(9, android_video_no_encoder, Single, Error, Trace, MachineAndFile, LostData,                \
       "The device had no free video encoder. There is no screen recording. tracebraid does not "  \
       "count this stat.")                                                                         \
  STAT(10, android_video_display_not_found, Single, Error, Trace, MachineAndFile, LostData,        \
       "The display to record did not exist. There is no screen recording. tracebraid does not "   \
       "count this stat.")                                                                         \
  STAT(11, android_video_encoder_setup_failed, Single, Error, Trace, MachineAndFile, LostData,     \
       "The video encoder could not be configured. There is no screen recording. tracebraid does"  \
       " not count this stat.")                                                                    \
  STAT(12, android_video_virtual_display_failed, Single, Error, Trace, MachineAndFile, LostData,   \
       "The virtual display for a screen recording could not be created. There is no recording. "  \
       "tracebraid does not count this stat.")                                                     \
  STAT(13, android_video_parse_size_cap_hit, Single, DataLoss, Trace, MachineAndFile, LostData,    \
       "A screen recording is larger than the importer accepts. tracebraid does not count this "   \
       "stat.")                                                                                    \
  STAT(62, fuchsia_invalid_event_arg_name, Single, Error, Analysis, MachineAndFile, LostData,      \
       "The name of an argument of a Fuchsia event is malformed. The argument has no name. "       \
       "tracebraid does not count this stat.")                                                     \
  STAT(63, fuchsia_unknown_event_arg, Single, Error, Analysis, MachineAndFile, LostData,           \
       "An argument of a Fuchsia event is unknown. tracebraid does not count this stat.")          \
  STAT(67, gpu_counters_missing_spec, Single, Error, Analysis, MachineAndFile, LostEvents,         \
       "A sample belongs to a GPU counter without a description. tracebraid counts such samples "  \
       "in gpu_counter_sample_undescribed.")                                                       \
  STAT(71, guess_trace_type_duration_ns, Single, Info, Analysis, Global, Figure,                   \
       "The time to detect the format, ns. tracebraid does not count this stat.")                  \
  STAT(94, parse_trace_duration_ns, Single, Info, Analysis, Global, Figure,                        \
       "The time to read the trace, ns. tracebraid does not count this stat.")                     \
  STAT(450, align_time_ns, Single, Info, Analysis, Global, Figure,                                 \
       "The CPU time that the common content of recordings took, ns. tracebraid does not count "   \
       "this stat, because equal files give equal tables.")                                        \
  STAT(98, rss_stat_unknown_keys, Single, Error, Analysis, MachineAndFile, LostEvents,             \
       "A memory size of a process has an unknown kind. tracebraid does not count this stat.")     \
  STAT(171, track_event_dropped_packets_outside_of_range_of_interest, Single, Info, Analysis,      \
       MachineAndFile, Noted,                                                                      \
       "Track events lie before the range that the recording asks for. tracebraid does not count"  \
       " this stat.")                                                                              \
  STAT(172, track_event_tokenizer_errors, Single, Info, Analysis, MachineAndFile, LostEvents,      \
       "A track event is malformed. tracebraid does not count this stat.")                         \
  STAT(174, track_event_thread_invalid_end, Single, Error, Trace, MachineAndFile, LostEvents,      \
       "A thread ends a slice that did not begin. tracebraid does not count this stat.")           \
  STAT(175, tokenizer_skipped_packets, Single, Info, Analysis, MachineAndFile, LostEvents,         \
       "Packets were skipped. tracebraid does not count this stat.")                               \
  STAT(179, clock_sync_failure, Single, Error, Analysis, MachineAndFile, LostEvents,               \
       "A time could not be converted. tracebraid counts the causes in stats of their own.")       \
  STAT(186, clock_sync_cache_miss, Single, Info, Analysis, Global, Figure,                         \
       "Conversions that no cache answered. tracebraid does not count this stat.")                 \
  STAT(187, process_tracker_errors, Single, Error, Analysis, MachineAndFile, Repaired,             \
       "Processes and threads contradict each other. tracebraid does not count this stat.")        \
  STAT(193, heap_graph_invalid_string_id, Indexed, Error, Trace, Global, LostData,                 \
       "A heap graph refers to a text that was not defined. tracebraid does not count this stat.") \
  STAT(211, metatrace_overruns, Single, Error, Trace, MachineAndFile, LostData,                    \
       "The trace of the recorder itself lost events. tracebraid does not count this stat.")       \
  STAT(229, perf_record_skipped, Indexed, Error, Analysis, MachineAndFile, LostEvents,             \
       "A record of a perf file was skipped. tracebraid does not count this stat.")                \
  STAT(231, perf_features_skipped, Indexed, Info, Analysis, MachineAndFile, Noted,                 \
       "A section of a perf file was skipped. tracebraid does not count this stat.")               \
  STAT(232, perf_samples_cpu_mode_unknown, Single, Error, Analysis, MachineAndFile, Repaired,      \
       "A sample has an unknown CPU mode. tracebraid does not count this stat.")                   \
  STAT(235, perf_aux_missing, Single, DataLoss, Trace, MachineAndFile, LostData,                   \
       "Hardware trace data is missing. tracebraid does not count this stat.")                     \
  STAT(241, perf_auxtrace_missing, Single, DataLoss, Trace, MachineAndFile, LostData,              \
       "The section of hardware trace data is missing. tracebraid does not count this stat.")      \
  STAT(242, perf_unknown_aux_data, Indexed, DataLoss, Trace, MachineAndFile, LostData,             \
       "Hardware trace data is of an unknown kind. tracebraid does not count this stat.")          \
  STAT(243, perf_no_tsc_data, Single, Info, Trace, MachineAndFile, Noted,                          \
       "Hardware trace data has no relation to time. tracebraid does not count this stat.")        \
  STAT(244, spe_no_timestamp, Single, Info, Trace, MachineAndFile, Noted,                          \
       "A record of Arm SPE has no time. tracebraid does not count this stat.")                    \
  STAT(245, etm_no_importer, Single, Error, Analysis, MachineAndFile, LostData,                    \
       "Arm ETM data is not imported. tracebraid does not count this stat.")                       \
  STAT(247, thread_time_in_state_unknown_cpu_freq, Single, Error, Analysis, MachineAndFile,        \
       LostEvents,                                                                                 \
       "The time of a thread at an unknown CPU frequency. tracebraid does not count this stat.")   \
  STAT(249, sorter_push_event_out_of_order, Single, Error, Trace, Global, LostEvents,              \
       "An event came too late to be sorted. tracebraid sorts all events and does not count this"  \
       " stat.")                                                                                   \
  STAT(267, winscope_protolog_invalid_interpolation_parse_errors, Single, Info, Analysis,          \
       MachineAndFile, Repaired,                                                                   \
       "A log message has an invalid placeholder. tracebraid does not count this stat.")           \
  STAT(279, jit_unknown_frame, Single, DataLoss, Trace, MachineAndFile, LostData,                  \
       "A frame of compiled code has no description. tracebraid does not count this stat.")        \
  STAT(282, mali_unknown_mcu_state_id, Single, Error, Analysis, MachineAndFile, LostEvents,        \
       "A Mali GPU reports an unknown state. tracebraid does not count this stat.")                \
  STAT(283, pixel_modem_negative_timestamp, Single, Error, Analysis, MachineAndFile, LostEvents,   \
       "An event of the modem has a negative time. tracebraid does not count this stat.")          \
  STAT(289, hprof_string_counter, Single, Info, Analysis, MachineAndFile, Figure,                  \
       "Strings of a heap dump. tracebraid does not count this stat.")                             \
  STAT(290, hprof_class_counter, Single, Info, Analysis, MachineAndFile, Figure,                   \
       "Classes of a heap dump. tracebraid does not count this stat.")                             \
  STAT(291, hprof_heap_dump_counter, Single, Info, Analysis, MachineAndFile, Figure,               \
       "Heap dumps of a file. tracebraid does not count this stat.")                               \
  STAT(292, hprof_instance_counter, Single, Info, Analysis, MachineAndFile, Figure,                \
       "Instances of a heap dump. tracebraid does not count this stat.")                           \
  STAT(293, hprof_object_array_counter, Single, Info, Analysis, MachineAndFile, Figure,            \
       "Object arrays of a heap dump. tracebraid does not count this stat.")                       \
  STAT(294, hprof_primitive_array_counter, Single, Info, Analysis, MachineAndFile, Figure,         \
       "Primitive arrays of a heap dump. tracebraid does not count this stat.")                    \
  STAT(295, hprof_root_counter, Single, Info, Analysis, MachineAndFile, Figure,                    \
       "Roots of a heap dump. tracebraid does not count this stat.")                               \
  STAT(296, hprof_reference_counter, Single, Info, Analysis, MachineAndFile, Figure,               \
       "References of a heap dump. tracebraid does not count this stat.")                          \
  STAT(297, hprof_record_counter, Single, Info, Analysis, MachineAndFile, Figure,                  \
       "Records of a heap dump. tracebraid does not count this stat.")                             \
  STAT(298, hprof_segment_overshoot_counter, Single, Info, Analysis, MachineAndFile, Figure,       \
       "Segments of a heap dump that were longer than stated. tracebraid does not count this "     \
       "stat.")                                                                                    \
  STAT(299, hprof_field_value_errors, Single, Error, Analysis, MachineAndFile, LostData,           \
       "A field of a heap dump could not be read. tracebraid does not count this stat.")           \
  STAT(300, hprof_class_errors, Single, Error, Analysis, MachineAndFile, LostData,                 \
       "A class of a heap dump could not be read. tracebraid does not count this stat.")           \
  STAT(301, hprof_header_errors, Single, Error, Analysis, MachineAndFile, LostData,                \
       "The header of a heap dump is malformed. tracebraid does not count this stat.")             \
  STAT(302, hprof_heap_dump_errors, Single, Error, Analysis, MachineAndFile, LostData,             \
       "A heap dump is malformed. tracebraid does not count this stat.")                           \
  STAT(303, hprof_primitive_array_parsing_errors, Single, Error, Analysis, MachineAndFile,         \
       LostData,                                                                                   \
       "A primitive array of a heap dump could not be read. tracebraid does not count this stat.") \
  STAT(304, hprof_reference_errors, Single, Error, Analysis, MachineAndFile, LostData,             \
       "A reference of a heap dump leads nowhere. tracebraid does not count this stat.")           \
  STAT(349, primes_unknown_edge_type, Single, DataLoss, Analysis, MachineAndFile, LostData,        \
       "An edge of a Primes trace has an unknown type. tracebraid does not count this stat.")      \
  STAT(350, primes_executor_not_found, Single, DataLoss, Analysis, MachineAndFile, LostData,       \
       "An executor of a Primes trace is missing. tracebraid does not count this stat.")           \
  STAT(351, primes_end_without_matching_begin, Single, Info, Analysis, MachineAndFile, LostEvents, \
       "An end of a Primes trace has no begin. tracebraid does not count this stat.")              \
  STAT(352, primes_missing_entity_details, Single, Info, Analysis, MachineAndFile, LostData,       \
       "An entity of a Primes trace has no details. tracebraid does not count this stat.")         \
  STAT(353, primes_missing_parent_id, Single, Info, Analysis, MachineAndFile, Repaired,            \
       "An entity of a Primes trace has no parent. tracebraid does not count this stat.")          \
  STAT(354, primes_malformed_timestamp, Single, DataLoss, Analysis, MachineAndFile, LostEvents,    \
       "A time of a Primes trace is malformed. tracebraid does not count this stat.")              \
  STAT(355, protovm_abort, Single, Error, Analysis, MachineAndFile, LostData,                      \
       "A program that rewrites packets was aborted. tracebraid does not count this stat.")        \
  STAT(356, protovm_registration_error, Single, Error, Analysis, MachineAndFile, LostData,         \
       "A program that rewrites packets could not be loaded. tracebraid does not count this "      \
       "stat.")                                                                                    \
  STAT(388, json_unknown_field, Single, Info, Trace, MachineAndFile, Noted,                        \
       "An event has an unknown field. tracebraid does not count this stat.")                      \
  STAT(396, trace_unreadable, Single, Error, Analysis, MachineAndFile, LostData,                   \
       "A file could not be read. tracebraid reports this as a problem of the file and does not "  \
       "count this stat.")                                                                         \
  STAT(399, packet_fields_not_imported, Single, Info, Analysis, MachineAndFile, Noted,             \
       "Packets have fields that are not imported. tracebraid lists them as not imported and "     \
       "does not count this stat.")

TB_DECLARE_STATS(TB_UNCOUNTED_STATS)
