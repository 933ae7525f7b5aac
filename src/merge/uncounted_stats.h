// Stats of the reference that tracebraid never counts; `stats` has rows for them, too.
#pragma once

#include "event/stat.h"

#define TB_UNCOUNTED_STATS(STAT)                                                                  \
  STAT(1, android_br_parse_errors, Single, Error, Trace, MachineAndFile)                          \
  STAT(6, android_video_size_cap_hit, Single, DataLoss, Trace, MachineAndFile)                    \
  STAT(7, android_video_codec_error, Single, Error, Trace, MachineAndFile)                        \
  STAT(8, android_video_display_gone, Single, Error, Trace, MachineAndFile)                       \
  STAT(9, android_video_no_encoder, Single, Error, Trace, MachineAndFile)                         \
  STAT(10, android_video_display_not_found, Single, Error, Trace, MachineAndFile)                 \
  STAT(11, android_video_encoder_setup_failed, Single, Error, Trace, MachineAndFile)              \
  STAT(12, android_video_virtual_display_failed, Single, Error, Trace, MachineAndFile)            \
  STAT(13, android_video_parse_size_cap_hit, Single, DataLoss, Trace, MachineAndFile)             \
  STAT(14, deobfuscate_location_parse_error, Single, Error, Analysis, Global)                     \
  STAT(62, fuchsia_invalid_event_arg_name, Single, Error, Analysis, MachineAndFile)               \
  STAT(63, fuchsia_unknown_event_arg, Single, Error, Analysis, MachineAndFile)                    \
  STAT(68, gpu_counters_missing_timestamp, Single, Error, Trace, MachineAndFile)                  \
  STAT(69, gpu_render_stage_parser_errors, Single, Error, Analysis, MachineAndFile)               \
  STAT(71, guess_trace_type_duration_ns, Single, Info, Analysis, Global)                          \
  STAT(90, missing_disk_io_event_name, Single, Error, Analysis, MachineAndFile)                   \
  STAT(94, parse_trace_duration_ns, Single, Info, Analysis, Global)                               \
  STAT(98, rss_stat_unknown_keys, Single, Error, Analysis, MachineAndFile)                        \
  STAT(171, track_event_dropped_packets_outside_of_range_of_interest, Single, Info, Analysis,     \
       MachineAndFile)                                                                            \
  STAT(172, track_event_tokenizer_errors, Single, Info, Analysis, MachineAndFile)                 \
  STAT(174, track_event_thread_invalid_end, Single, Error, Trace, MachineAndFile)                 \
  STAT(175, tokenizer_skipped_packets, Single, Info, Analysis, MachineAndFile)                    \
  STAT(179, clock_sync_failure, Single, Error, Analysis, MachineAndFile)                          \
  STAT(186, clock_sync_cache_miss, Single, Info, Analysis, Global)                                \
  STAT(187, process_tracker_errors, Single, Error, Analysis, MachineAndFile)                      \
  STAT(193, heap_graph_invalid_string_id, Indexed, Error, Trace, Global)                          \
  STAT(201, heapprofd_malformed_packet, Indexed, Error, Trace, MachineAndFile)                    \
  STAT(210, symbolization_tmp_build_id_not_found, Single, Error, Analysis, MachineAndFile)        \
  STAT(211, metatrace_overruns, Single, Error, Trace, MachineAndFile)                             \
  STAT(229, perf_record_skipped, Indexed, Error, Analysis, MachineAndFile)                        \
  STAT(231, perf_features_skipped, Indexed, Info, Analysis, MachineAndFile)                       \
  STAT(232, perf_samples_cpu_mode_unknown, Single, Error, Analysis, MachineAndFile)               \
  STAT(235, perf_aux_missing, Single, DataLoss, Trace, MachineAndFile)                            \
  STAT(241, perf_auxtrace_missing, Single, DataLoss, Trace, MachineAndFile)                       \
  STAT(242, perf_unknown_aux_data, Indexed, DataLoss, Trace, MachineAndFile)                      \
  STAT(243, perf_no_tsc_data, Single, Info, Trace, MachineAndFile)                                \
  STAT(244, spe_no_timestamp, Single, Info, Trace, MachineAndFile)                                \
  STAT(245, etm_no_importer, Single, Error, Analysis, MachineAndFile)                             \
  STAT(247, thread_time_in_state_unknown_cpu_freq, Single, Error, Analysis, MachineAndFile)       \
  STAT(249, sorter_push_event_out_of_order, Single, Error, Trace, Global)                         \
  STAT(261, winscope_inputmethod_clients_parse_errors, Single, Error, Analysis, MachineAndFile)   \
  STAT(262, winscope_inputmethod_manager_service_parse_errors, Single, Error, Analysis,           \
       MachineAndFile)                                                                            \
  STAT(263, winscope_inputmethod_service_parse_errors, Single, Error, Analysis, MachineAndFile)   \
  STAT(264, winscope_sf_layers_parse_errors, Single, Error, Analysis, MachineAndFile)             \
  STAT(265, winscope_sf_transactions_parse_errors, Single, Error, Analysis, MachineAndFile)       \
  STAT(266, winscope_shell_transitions_parse_errors, Single, Error, Analysis, MachineAndFile)     \
  STAT(267, winscope_protolog_invalid_interpolation_parse_errors, Single, Info, Analysis,         \
       MachineAndFile)                                                                            \
  STAT(268, winscope_protolog_missing_interned_arg_parse_errors, Single, Info, Analysis,          \
       MachineAndFile)                                                                            \
  STAT(269, winscope_protolog_missing_interned_stacktrace_parse_errors, Single, Info, Analysis,   \
       MachineAndFile)                                                                            \
  STAT(270, winscope_protolog_message_decoding_failed, Single, Info, Analysis, MachineAndFile)    \
  STAT(271, winscope_protolog_message_collision, Single, Info, Analysis, MachineAndFile)          \
  STAT(272, winscope_protolog_message_collision_resolved, Single, Info, Analysis, MachineAndFile) \
  STAT(273, winscope_protolog_group_tag_collision, Single, Info, Analysis, MachineAndFile)        \
  STAT(274, winscope_protolog_group_tag_missing, Single, Info, Analysis, MachineAndFile)          \
  STAT(275, winscope_protolog_param_mismatch, Single, Info, Analysis, MachineAndFile)             \
  STAT(276, winscope_viewcapture_parse_errors, Single, Error, Analysis, MachineAndFile)           \
  STAT(277, winscope_viewcapture_missing_interned_string_parse_errors, Single, Error, Analysis,   \
       MachineAndFile)                                                                            \
  STAT(278, winscope_windowmanager_parse_errors, Single, Error, Analysis, MachineAndFile)         \
  STAT(279, jit_unknown_frame, Single, DataLoss, Trace, MachineAndFile)                           \
  STAT(281, android_input_event_parse_errors, Single, Info, Analysis, MachineAndFile)             \
  STAT(282, mali_unknown_mcu_state_id, Single, Error, Analysis, MachineAndFile)                   \
  STAT(283, pixel_modem_negative_timestamp, Single, Error, Analysis, MachineAndFile)              \
  STAT(288, long_trace_mode_bytes_overwritten, Indexed, DataLoss, Trace, MachineAndFile)          \
  STAT(289, hprof_string_counter, Single, Info, Analysis, MachineAndFile)                         \
  STAT(290, hprof_class_counter, Single, Info, Analysis, MachineAndFile)                          \
  STAT(291, hprof_heap_dump_counter, Single, Info, Analysis, MachineAndFile)                      \
  STAT(292, hprof_instance_counter, Single, Info, Analysis, MachineAndFile)                       \
  STAT(293, hprof_object_array_counter, Single, Info, Analysis, MachineAndFile)                   \
  STAT(294, hprof_primitive_array_counter, Single, Info, Analysis, MachineAndFile)                \
  STAT(295, hprof_root_counter, Single, Info, Analysis, MachineAndFile)                           \
  STAT(296, hprof_reference_counter, Single, Info, Analysis, MachineAndFile)                      \
  STAT(297, hprof_record_counter, Single, Info, Analysis, MachineAndFile)                         \
  STAT(298, hprof_segment_overshoot_counter, Single, Info, Analysis, MachineAndFile)              \
  STAT(299, hprof_field_value_errors, Single, Error, Analysis, MachineAndFile)                    \
  STAT(300, hprof_class_errors, Single, Error, Analysis, MachineAndFile)                          \
  STAT(301, hprof_header_errors, Single, Error, Analysis, MachineAndFile)                         \
  STAT(302, hprof_heap_dump_errors, Single, Error, Analysis, MachineAndFile)                      \
  STAT(303, hprof_primitive_array_parsing_errors, Single, Error, Analysis, MachineAndFile)        \
  STAT(304, hprof_reference_errors, Single, Error, Analysis, MachineAndFile)                      \
  STAT(312, simpleperf_missing_file_mapping, Single, DataLoss, Trace, MachineAndFile)             \
  STAT(322, streaming_profile_invalid_timestamp, Single, Error, Analysis, MachineAndFile)         \
  STAT(349, primes_unknown_edge_type, Single, DataLoss, Analysis, MachineAndFile)                 \
  STAT(350, primes_executor_not_found, Single, DataLoss, Analysis, MachineAndFile)                \
  STAT(351, primes_end_without_matching_begin, Single, Info, Analysis, MachineAndFile)            \
  STAT(352, primes_missing_entity_details, Single, Info, Analysis, MachineAndFile)                \
  STAT(353, primes_missing_parent_id, Single, Info, Analysis, MachineAndFile)                     \
  STAT(354, primes_malformed_timestamp, Single, DataLoss, Analysis, MachineAndFile)               \
  STAT(355, protovm_abort, Single, Error, Analysis, MachineAndFile)                               \
  STAT(356, protovm_registration_error, Single, Error, Analysis, MachineAndFile)                  \
  STAT(388, json_unknown_field, Single, Info, Trace, MachineAndFile)                              \
  STAT(396, trace_unreadable, Single, Error, Analysis, MachineAndFile)                            \
  STAT(399, packet_fields_not_imported, Single, Info, Analysis, MachineAndFile)

TB_DECLARE_STATS(TB_UNCOUNTED_STATS)
