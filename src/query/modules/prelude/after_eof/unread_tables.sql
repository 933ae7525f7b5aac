-- Tables of the dialect whose data the readers do not import: they have no rows. A table of that name
-- that a reader fills takes precedence.

CREATE VIEW IF NOT EXISTS __intrinsic_android_input_event_dispatch AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS event_id,
  CAST(NULL AS INTEGER) AS arg_set_id, CAST(NULL AS INTEGER) AS vsync_id,
  CAST(NULL AS INTEGER) AS window_id, CAST(NULL AS INTEGER) AS base64_proto_id
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_android_key_events AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS event_id, CAST(NULL AS INTEGER) AS ts,
  CAST(NULL AS INTEGER) AS arg_set_id, CAST(NULL AS INTEGER) AS base64_proto_id,
  CAST(NULL AS INTEGER) AS source, CAST(NULL AS INTEGER) AS action,
  CAST(NULL AS INTEGER) AS device_id, CAST(NULL AS INTEGER) AS display_id,
  CAST(NULL AS INTEGER) AS key_code
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_android_motion_events AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS event_id, CAST(NULL AS INTEGER) AS ts,
  CAST(NULL AS INTEGER) AS arg_set_id, CAST(NULL AS INTEGER) AS base64_proto_id,
  CAST(NULL AS INTEGER) AS source, CAST(NULL AS INTEGER) AS action,
  CAST(NULL AS INTEGER) AS device_id, CAST(NULL AS INTEGER) AS display_id
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_android_network_packets AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS TEXT) AS iface, CAST(NULL AS TEXT) AS direction,
  CAST(NULL AS TEXT) AS packet_transport, CAST(NULL AS INTEGER) AS packet_length,
  CAST(NULL AS INTEGER) AS packet_count, CAST(NULL AS INTEGER) AS socket_tag,
  CAST(NULL AS TEXT) AS socket_tag_str, CAST(NULL AS INTEGER) AS socket_uid,
  CAST(NULL AS INTEGER) AS local_port, CAST(NULL AS INTEGER) AS remote_port,
  CAST(NULL AS INTEGER) AS packet_icmp_type, CAST(NULL AS INTEGER) AS packet_icmp_code,
  CAST(NULL AS INTEGER) AS packet_tcp_flags, CAST(NULL AS TEXT) AS packet_tcp_flags_str
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_android_track_event_process AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS upid,
  CAST(NULL AS INTEGER) AS start_seq_id, CAST(NULL AS INTEGER) AS package_uid,
  CAST(NULL AS INTEGER) AS caller_uid, CAST(NULL AS INTEGER) AS defining_uid,
  CAST(NULL AS INTEGER) AS fw_start_ts, CAST(NULL AS INTEGER) AS fw_end_ts,
  CAST(NULL AS TEXT) AS trigger_type, CAST(NULL AS TEXT) AS hosting_type,
  CAST(NULL AS TEXT) AS hosting_name, CAST(NULL AS INTEGER) AS bind_application_delay_ms,
  CAST(NULL AS INTEGER) AS process_start_delay_ms
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_build_flags AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS TEXT) AS name, CAST(NULL AS INTEGER) AS enabled
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_dfs_weight_bounded AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS root_node_id,
  CAST(NULL AS INTEGER) AS node_id, CAST(NULL AS INTEGER) AS parent_node_id
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_elf_file AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS file_id,
  CAST(NULL AS INTEGER) AS load_bias, CAST(NULL AS TEXT) AS build_id
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_etm_v4_chunk AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS session_id,
  CAST(NULL AS INTEGER) AS chunk_set_id, CAST(NULL AS INTEGER) AS size
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_etm_v4_configuration AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS set_id, CAST(NULL AS INTEGER) AS cpu,
  CAST(NULL AS INTEGER) AS cs_trace_stream_id, CAST(NULL AS TEXT) AS core_profile,
  CAST(NULL AS TEXT) AS arch_version, CAST(NULL AS INTEGER) AS major_version,
  CAST(NULL AS INTEGER) AS minor_version, CAST(NULL AS INTEGER) AS max_speculation_depth,
  CAST(NULL AS INTEGER) AS bool_flags
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_etm_v4_session AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS configuration_id,
  CAST(NULL AS INTEGER) AS start_ts
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_experimental_missing_chrome_processes AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS upid,
  CAST(NULL AS INTEGER) AS reliable_from
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_file AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS TEXT) AS name, CAST(NULL AS INTEGER) AS size,
  CAST(NULL AS TEXT) AS trace_type
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_heap_graph_java_oome_details AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS heap_graph_id,
  CAST(NULL AS INTEGER) AS allocation_size_bytes, CAST(NULL AS INTEGER) AS total_bytes_free,
  CAST(NULL AS INTEGER) AS free_bytes_until_oom, CAST(NULL AS TEXT) AS error_msg
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_heap_graph_object_data AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS field_set_id,
  CAST(NULL AS TEXT) AS value_string, CAST(NULL AS TEXT) AS array_element_type,
  CAST(NULL AS INTEGER) AS array_element_count, CAST(NULL AS INTEGER) AS array_data_id,
  CAST(NULL AS INTEGER) AS array_data_hash
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_heap_graph_primitive AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS field_set_id,
  CAST(NULL AS TEXT) AS field_name, CAST(NULL AS TEXT) AS field_type,
  CAST(NULL AS INTEGER) AS bool_value, CAST(NULL AS INTEGER) AS byte_value,
  CAST(NULL AS INTEGER) AS char_value, CAST(NULL AS INTEGER) AS short_value,
  CAST(NULL AS INTEGER) AS int_value, CAST(NULL AS INTEGER) AS long_value,
  CAST(NULL AS REAL) AS float_value, CAST(NULL AS REAL) AS double_value
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_heap_graph_thread_callsite AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS heap_graph_id,
  CAST(NULL AS INTEGER) AS utid, CAST(NULL AS INTEGER) AS callsite_id
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_inputmethod_clients AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS ts, CAST(NULL AS INTEGER) AS arg_set_id,
  CAST(NULL AS INTEGER) AS base64_proto_id
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_inputmethod_manager_service AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS ts, CAST(NULL AS INTEGER) AS arg_set_id,
  CAST(NULL AS INTEGER) AS base64_proto_id
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_inputmethod_service AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS ts, CAST(NULL AS INTEGER) AS arg_set_id,
  CAST(NULL AS INTEGER) AS base64_proto_id
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_jit_frame AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS jit_code_id,
  CAST(NULL AS INTEGER) AS frame_id
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_mmap_record AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS ts, CAST(NULL AS INTEGER) AS upid,
  CAST(NULL AS INTEGER) AS mapping_id, CAST(NULL AS INTEGER) AS file_id
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_modules AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS TEXT) AS name
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_protolog AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS ts, CAST(NULL AS TEXT) AS level,
  CAST(NULL AS TEXT) AS tag, CAST(NULL AS TEXT) AS message, CAST(NULL AS TEXT) AS stacktrace,
  CAST(NULL AS TEXT) AS location
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_spe_record AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS ts, CAST(NULL AS INTEGER) AS utid,
  CAST(NULL AS TEXT) AS exception_level, CAST(NULL AS INTEGER) AS instruction_frame_id,
  CAST(NULL AS TEXT) AS operation, CAST(NULL AS INTEGER) AS data_virtual_address,
  CAST(NULL AS INTEGER) AS data_physical_address, CAST(NULL AS INTEGER) AS total_latency,
  CAST(NULL AS INTEGER) AS issue_latency, CAST(NULL AS INTEGER) AS translation_latency,
  CAST(NULL AS INTEGER) AS events_bitmask, CAST(NULL AS TEXT) AS data_source
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_surfaceflinger_display AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS snapshot_id,
  CAST(NULL AS INTEGER) AS is_on, CAST(NULL AS INTEGER) AS is_virtual,
  CAST(NULL AS INTEGER) AS trace_rect_id, CAST(NULL AS INTEGER) AS display_id,
  CAST(NULL AS TEXT) AS display_name
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_surfaceflinger_layer AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS snapshot_id,
  CAST(NULL AS INTEGER) AS arg_set_id, CAST(NULL AS INTEGER) AS base64_proto_id,
  CAST(NULL AS INTEGER) AS layer_id, CAST(NULL AS TEXT) AS layer_name,
  CAST(NULL AS INTEGER) AS is_visible, CAST(NULL AS INTEGER) AS parent,
  CAST(NULL AS REAL) AS corner_radius_tl, CAST(NULL AS REAL) AS corner_radius_tr,
  CAST(NULL AS REAL) AS corner_radius_bl, CAST(NULL AS REAL) AS corner_radius_br,
  CAST(NULL AS INTEGER) AS hwc_composition_type, CAST(NULL AS INTEGER) AS is_hidden_by_policy,
  CAST(NULL AS INTEGER) AS z_order_relative_of, CAST(NULL AS INTEGER) AS is_missing_z_parent,
  CAST(NULL AS INTEGER) AS layer_rect_id, CAST(NULL AS INTEGER) AS input_rect_id
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_surfaceflinger_layers_snapshot AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS ts, CAST(NULL AS INTEGER) AS arg_set_id,
  CAST(NULL AS INTEGER) AS base64_proto_id, CAST(NULL AS INTEGER) AS sequence_id,
  CAST(NULL AS INTEGER) AS has_invalid_elapsed_ts
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_surfaceflinger_transaction AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS snapshot_id,
  CAST(NULL AS INTEGER) AS arg_set_id, CAST(NULL AS INTEGER) AS base64_proto_id,
  CAST(NULL AS INTEGER) AS transaction_id, CAST(NULL AS INTEGER) AS pid,
  CAST(NULL AS INTEGER) AS uid, CAST(NULL AS INTEGER) AS layer_id,
  CAST(NULL AS INTEGER) AS display_id, CAST(NULL AS INTEGER) AS flags_id,
  CAST(NULL AS TEXT) AS transaction_type
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_surfaceflinger_transaction_flag AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS flags_id, CAST(NULL AS TEXT) AS flag
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_surfaceflinger_transactions AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS ts, CAST(NULL AS INTEGER) AS arg_set_id,
  CAST(NULL AS INTEGER) AS base64_proto_id, CAST(NULL AS INTEGER) AS vsync_id
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_trace_diagnostics AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS TEXT) AS key, CAST(NULL AS TEXT) AS title,
  CAST(NULL AS TEXT) AS description, CAST(NULL AS TEXT) AS remediation,
  CAST(NULL AS REAL) AS confidence, CAST(NULL AS INTEGER) AS trace_id
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_video_frames AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS ts, CAST(NULL AS INTEGER) AS display_id,
  CAST(NULL AS TEXT) AS display_name, CAST(NULL AS TEXT) AS codec_string,
  CAST(NULL AS INTEGER) AS frame_number, CAST(NULL AS INTEGER) AS codec,
  CAST(NULL AS INTEGER) AS is_key_frame, CAST(NULL AS INTEGER) AS pts_us,
  CAST(NULL AS INTEGER) AS is_config
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_viewcapture AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS ts, CAST(NULL AS INTEGER) AS arg_set_id,
  CAST(NULL AS INTEGER) AS base64_proto_id, CAST(NULL AS TEXT) AS package_name,
  CAST(NULL AS TEXT) AS window_name
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_viewcapture_view AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS snapshot_id,
  CAST(NULL AS INTEGER) AS arg_set_id, CAST(NULL AS INTEGER) AS base64_proto_id,
  CAST(NULL AS INTEGER) AS node_id, CAST(NULL AS INTEGER) AS hashcode,
  CAST(NULL AS INTEGER) AS is_visible, CAST(NULL AS INTEGER) AS parent_id,
  CAST(NULL AS TEXT) AS view_id, CAST(NULL AS TEXT) AS class_name,
  CAST(NULL AS INTEGER) AS trace_rect_id
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_wattson_curves_cpu_1d AS
SELECT
  CAST(NULL AS TEXT) AS device, CAST(NULL AS INTEGER) AS policy,
  CAST(NULL AS INTEGER) AS freq_khz, CAST(NULL AS REAL) AS static, CAST(NULL AS REAL) AS active,
  CAST(NULL AS REAL) AS idle0, CAST(NULL AS REAL) AS idle1
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_wattson_curves_cpu_2d AS
SELECT
  CAST(NULL AS TEXT) AS device, CAST(NULL AS INTEGER) AS policy,
  CAST(NULL AS INTEGER) AS freq_khz, CAST(NULL AS INTEGER) AS dep_policy,
  CAST(NULL AS INTEGER) AS dep_freq, CAST(NULL AS REAL) AS static, CAST(NULL AS REAL) AS active,
  CAST(NULL AS REAL) AS idle0, CAST(NULL AS REAL) AS idle1, CAST(NULL AS REAL) AS interconnect
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_wattson_curves_gpu AS
SELECT
  CAST(NULL AS TEXT) AS device, CAST(NULL AS INTEGER) AS freq_khz, CAST(NULL AS REAL) AS active,
  CAST(NULL AS REAL) AS idle1, CAST(NULL AS REAL) AS idle2
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_wattson_curves_l3 AS
SELECT
  CAST(NULL AS TEXT) AS device, CAST(NULL AS INTEGER) AS freq_khz,
  CAST(NULL AS INTEGER) AS dep_policy, CAST(NULL AS INTEGER) AS dep_freq,
  CAST(NULL AS REAL) AS l3_hit, CAST(NULL AS REAL) AS l3_miss
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_wattson_curves_tpu AS
SELECT
  CAST(NULL AS TEXT) AS device, CAST(NULL AS INTEGER) AS cluster,
  CAST(NULL AS INTEGER) AS requests, CAST(NULL AS INTEGER) AS freq, CAST(NULL AS REAL) AS active
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_window_manager_shell_transition_handlers AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS handler_id,
  CAST(NULL AS TEXT) AS handler_name, CAST(NULL AS INTEGER) AS base64_proto_id
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_window_manager_shell_transition_participants AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS transition_id,
  CAST(NULL AS INTEGER) AS layer_id, CAST(NULL AS INTEGER) AS window_id,
  CAST(NULL AS INTEGER) AS mode, CAST(NULL AS INTEGER) AS flags,
  CAST(NULL AS INTEGER) AS start_display_id, CAST(NULL AS INTEGER) AS end_display_id,
  CAST(NULL AS INTEGER) AS start_rotation, CAST(NULL AS INTEGER) AS end_rotation,
  CAST(NULL AS INTEGER) AS start_abs_bounds_rect_id,
  CAST(NULL AS INTEGER) AS end_abs_bounds_rect_id
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_window_manager_shell_transition_protos AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS transition_id,
  CAST(NULL AS INTEGER) AS base64_proto_id
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_window_manager_shell_transitions AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS ts,
  CAST(NULL AS INTEGER) AS transition_id, CAST(NULL AS INTEGER) AS arg_set_id,
  CAST(NULL AS INTEGER) AS transition_type, CAST(NULL AS INTEGER) AS send_time_ns,
  CAST(NULL AS INTEGER) AS dispatch_time_ns, CAST(NULL AS INTEGER) AS duration_ns,
  CAST(NULL AS INTEGER) AS finish_time_ns, CAST(NULL AS INTEGER) AS shell_abort_time_ns,
  CAST(NULL AS INTEGER) AS wm_abort_time_ns, CAST(NULL AS INTEGER) AS merge_time_ns,
  CAST(NULL AS INTEGER) AS create_time_ns, CAST(NULL AS INTEGER) AS handler,
  CAST(NULL AS TEXT) AS status, CAST(NULL AS INTEGER) AS flags,
  CAST(NULL AS INTEGER) AS start_transaction_id, CAST(NULL AS INTEGER) AS finish_transaction_id
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_windowmanager AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS ts, CAST(NULL AS INTEGER) AS arg_set_id,
  CAST(NULL AS INTEGER) AS base64_proto_id, CAST(NULL AS INTEGER) AS focused_display_id,
  CAST(NULL AS INTEGER) AS has_invalid_elapsed_ts
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_windowmanager_windowcontainer AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS snapshot_id,
  CAST(NULL AS INTEGER) AS arg_set_id, CAST(NULL AS INTEGER) AS base64_proto_id,
  CAST(NULL AS TEXT) AS title, CAST(NULL AS INTEGER) AS token,
  CAST(NULL AS INTEGER) AS parent_token, CAST(NULL AS INTEGER) AS child_index,
  CAST(NULL AS INTEGER) AS is_visible, CAST(NULL AS INTEGER) AS window_rect_id,
  CAST(NULL AS TEXT) AS container_type, CAST(NULL AS TEXT) AS name_override
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_winscope_fill_region AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS trace_rect_id,
  CAST(NULL AS INTEGER) AS rect_id
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_winscope_proto_to_args_with_defaults AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS TEXT) AS table_name,
  CAST(NULL AS INTEGER) AS base64_proto_id, CAST(NULL AS TEXT) AS flat_key,
  CAST(NULL AS TEXT) AS key, CAST(NULL AS INTEGER) AS int_value,
  CAST(NULL AS TEXT) AS string_value, CAST(NULL AS REAL) AS real_value,
  CAST(NULL AS TEXT) AS value_type
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_winscope_rect AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS REAL) AS x, CAST(NULL AS REAL) AS y,
  CAST(NULL AS REAL) AS w, CAST(NULL AS REAL) AS h
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_winscope_surfaceflinger_hierarchy_path AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS snapshot_id,
  CAST(NULL AS INTEGER) AS layer_id, CAST(NULL AS INTEGER) AS ancestor_id
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_winscope_trace_rect AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS rect_id,
  CAST(NULL AS INTEGER) AS group_id, CAST(NULL AS INTEGER) AS depth,
  CAST(NULL AS INTEGER) AS is_spy, CAST(NULL AS INTEGER) AS is_visible,
  CAST(NULL AS REAL) AS opacity, CAST(NULL AS INTEGER) AS transform_id,
  CAST(NULL AS REAL) AS border_width, CAST(NULL AS INTEGER) AS border_color
WHERE 0;

CREATE VIEW IF NOT EXISTS __intrinsic_winscope_transform AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS REAL) AS dsdx, CAST(NULL AS REAL) AS dtdx,
  CAST(NULL AS REAL) AS tx, CAST(NULL AS REAL) AS dtdy, CAST(NULL AS REAL) AS dsdy,
  CAST(NULL AS REAL) AS ty
WHERE 0;

CREATE VIEW IF NOT EXISTS heap_graph_primitive AS
SELECT * FROM __intrinsic_heap_graph_primitive;

CREATE VIEW IF NOT EXISTS heap_graph_object_data AS
SELECT id, field_set_id, value_string, array_element_type, array_element_count, array_data_id, array_data_hash
FROM __intrinsic_heap_graph_object_data;

CREATE VIEW IF NOT EXISTS heap_graph_thread_callsite AS
SELECT id, heap_graph_id, utid, callsite_id
FROM __intrinsic_heap_graph_thread_callsite;

CREATE VIEW IF NOT EXISTS experimental_missing_chrome_processes AS
SELECT id, upid, reliable_from
FROM __intrinsic_experimental_missing_chrome_processes;

CREATE VIEW IF NOT EXISTS surfaceflinger_layers_snapshot AS
SELECT id, ts, arg_set_id, base64_proto_id, sequence_id, has_invalid_elapsed_ts
FROM __intrinsic_surfaceflinger_layers_snapshot;

CREATE VIEW IF NOT EXISTS surfaceflinger_layer AS
SELECT * FROM __intrinsic_surfaceflinger_layer;

CREATE VIEW IF NOT EXISTS surfaceflinger_transactions AS
SELECT id, ts, arg_set_id, base64_proto_id, vsync_id
FROM __intrinsic_surfaceflinger_transactions;

CREATE VIEW IF NOT EXISTS window_manager_shell_transitions AS
SELECT * FROM __intrinsic_window_manager_shell_transitions;

CREATE VIEW IF NOT EXISTS window_manager_shell_transition_handlers AS
SELECT id, handler_id, handler_name, base64_proto_id
FROM __intrinsic_window_manager_shell_transition_handlers;

CREATE VIEW IF NOT EXISTS protolog AS
SELECT id, ts, level, tag, message, stacktrace, location
FROM __intrinsic_protolog;

CREATE VIEW IF NOT EXISTS _linux_interrupt_mapping AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS irq_id, CAST(NULL AS TEXT) AS name,
  CAST(NULL AS INTEGER) AS machine_id
WHERE 0;

CREATE VIEW IF NOT EXISTS experimental_proto_path AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS INTEGER) AS parent_id, CAST(NULL AS TEXT) AS field_type,
  CAST(NULL AS TEXT) AS field_name, CAST(NULL AS INTEGER) AS arg_set_id
WHERE 0;

CREATE VIEW IF NOT EXISTS experimental_proto_content AS
SELECT
  CAST(NULL AS INTEGER) AS id, CAST(NULL AS TEXT) AS path, CAST(NULL AS INTEGER) AS path_id,
  CAST(NULL AS INTEGER) AS total_size, CAST(NULL AS INTEGER) AS size,
  CAST(NULL AS INTEGER) AS count
WHERE 0;

-- The raw tables.
CREATE VIEW IF NOT EXISTS perfetto_tables AS
SELECT name FROM sqlite_master WHERE name GLOB '__intrinsic_*';
