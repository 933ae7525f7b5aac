-- Public tables and views over the raw tables. Names, columns and their order: spec
-- sql-dialect 6 and clocks 12.
--
-- Tables that are made here hold no rows of their own: they show columns of a raw
-- table under public names (query/scan/projection.h). Views do what that cannot.

-- Time and session

CREATE VIEW _trace_bounds AS SELECT trace_start() AS start_ts, trace_end() AS end_ts;
CREATE VIEW trace_bounds AS SELECT start_ts, end_ts FROM _trace_bounds;

CREATE VIRTUAL TABLE metadata USING __intrinsic_dataframe(
  __intrinsic_metadata, id, name, key_type, int_value, str_value, machine_id, trace_id);

CREATE VIRTUAL TABLE stats USING __intrinsic_dataframe(
  __intrinsic_stats, id, name, key, idx, severity, source, value, description, machine_id,
  trace_id);

CREATE VIEW _trace_metrics AS SELECT NULL AS name WHERE FALSE;
CREATE VIEW trace_metrics AS SELECT name FROM _trace_metrics;

CREATE VIRTUAL TABLE clock_snapshot USING __intrinsic_dataframe(
  __intrinsic_clock_snapshot, id, ts, clock_id, clock_name, clock_value, snapshot_id, machine_id);

-- The host is 0 wherever its row is; the others count up.
CREATE VIEW machine AS
SELECT id, raw_id, name, sysname, release, version, arch, num_cpus, android_build_fingerprint,
  android_device_manufacturer, android_sdk_version, system_ram_bytes, system_ram_gb,
  CASE WHEN m.raw_id = 0 THEN 0 ELSE (
    SELECT count() FROM __intrinsic_machine AS other WHERE other.raw_id != 0 AND other.id <= m.id
  ) END AS label_index
FROM __intrinsic_machine AS m;

CREATE VIEW _stat_key_to_severity_and_name AS
SELECT DISTINCT key, severity, name FROM __intrinsic_stats;

CREATE VIEW _trace_import_logs AS
SELECT log.id, log.trace_id, log.ts, log.byte_offset, stat.severity, stat.name, log.arg_set_id
FROM __intrinsic_trace_import_logs AS log
JOIN _stat_key_to_severity_and_name AS stat ON stat.key = log.stat_key;

-- Slices, tracks, counters, states

CREATE VIRTUAL TABLE slice USING __intrinsic_dataframe(
  __intrinsic_slice, id, ts, dur, track_id, category, name, depth, parent_id, arg_set_id,
  thread_ts, thread_dur, thread_instruction_count, thread_instruction_delta, category AS cat,
  id AS slice_id);

CREATE VIRTUAL TABLE slices USING __intrinsic_dataframe(
  __intrinsic_slice, id, ts, dur, track_id, category, name, depth, parent_id, arg_set_id,
  thread_ts, thread_dur, thread_instruction_count, thread_instruction_delta, category AS cat,
  id AS slice_id);

CREATE VIEW instant AS
SELECT ts, track_id, name, arg_set_id FROM __intrinsic_slice WHERE dur = 0;

CREATE VIRTUAL TABLE track USING __intrinsic_dataframe(
  __intrinsic_track, id, name, type, dimension_arg_set_id, parent_id, source_arg_set_id,
  machine_id, track_group_id);

CREATE VIEW thread_track AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, utid
FROM __intrinsic_track WHERE event_type = 'slice' AND utid IS NOT NULL;

CREATE VIEW process_track AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, upid
FROM __intrinsic_track WHERE event_type = 'slice' AND upid IS NOT NULL;

CREATE VIEW cpu_track AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id,
  extract_arg(dimension_arg_set_id, 'cpu') AS cpu
FROM __intrinsic_track
WHERE event_type = 'slice' AND extract_arg(dimension_arg_set_id, 'cpu') IS NOT NULL;

CREATE VIEW gpu_track AS
SELECT id, name, type, parent_id, source_arg_set_id, dimension_arg_set_id, machine_id,
  type AS scope, extract_arg(source_arg_set_id, 'description') AS description,
  extract_arg(dimension_arg_set_id, 'context_id') AS context_id
FROM __intrinsic_track
WHERE type IN ('drm_vblank', 'drm_sched_ring', 'drm_fence', 'mali_mcu_state', 'gpu_render_stage',
  'vulkan_events', 'gpu_log', 'graphics_frame_event');

CREATE VIRTUAL TABLE counter USING __intrinsic_dataframe(
  __intrinsic_counter, id, ts, track_id, value, arg_set_id);

CREATE VIEW counter_track AS
SELECT id, name, parent_id, type, dimension_arg_set_id, source_arg_set_id, machine_id,
  counter_unit AS unit, extract_arg(source_arg_set_id, 'description') AS description
FROM __intrinsic_track WHERE event_type = 'counter';

CREATE VIEW counters AS
SELECT c.id, c.ts, c.track_id, c.value, c.arg_set_id, t.name, t.counter_unit AS unit
FROM __intrinsic_counter AS c JOIN __intrinsic_track AS t ON t.id = c.track_id
WHERE t.event_type = 'counter'
ORDER BY c.ts;

CREATE VIEW cpu_counter_track AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, unit, description,
  extract_arg(dimension_arg_set_id, 'cpu') AS cpu
FROM counter_track WHERE extract_arg(dimension_arg_set_id, 'cpu') IS NOT NULL;

CREATE VIEW gpu_counter_track AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, unit, description,
  extract_arg(dimension_arg_set_id, 'ugpu') AS ugpu,
  extract_arg(dimension_arg_set_id, 'gpu') AS gpu_id
FROM counter_track WHERE extract_arg(dimension_arg_set_id, 'ugpu') IS NOT NULL;

CREATE VIEW process_counter_track AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, counter_unit AS unit,
  extract_arg(source_arg_set_id, 'description') AS description, upid
FROM __intrinsic_track WHERE event_type = 'counter' AND upid IS NOT NULL;

CREATE VIEW thread_counter_track AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, counter_unit AS unit,
  extract_arg(source_arg_set_id, 'description') AS description, utid
FROM __intrinsic_track WHERE event_type = 'counter' AND utid IS NOT NULL;

CREATE VIEW perf_counter_track AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, unit, description,
  extract_arg(dimension_arg_set_id, 'perf_session_id') AS perf_session_id,
  extract_arg(dimension_arg_set_id, 'cpu') AS cpu,
  extract_arg(source_arg_set_id, 'is_timebase') AS is_timebase
FROM counter_track WHERE type IN ('perf_cpu_counter', 'perf_global_counter');

CREATE VIRTUAL TABLE state USING __intrinsic_dataframe(
  __intrinsic_state, id, ts, dur, track_id, category, value, arg_set_id);

CREATE VIEW state_track AS
SELECT id, name, parent_id, type, dimension_arg_set_id, source_arg_set_id, machine_id
FROM __intrinsic_track WHERE event_type = 'state';

CREATE VIEW process_state_track AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, upid
FROM __intrinsic_track WHERE event_type = 'state' AND upid IS NOT NULL;

CREATE VIEW thread_state_track AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, utid
FROM __intrinsic_track WHERE event_type = 'state' AND utid IS NOT NULL;

CREATE VIRTUAL TABLE flow USING __intrinsic_dataframe(
  __intrinsic_flow, id, slice_out, slice_in, trace_id, arg_set_id);

CREATE VIEW args AS
SELECT id, arg_set_id, flat_key, key, int_value, string_value, real_value, value_type,
  CASE value_type
    WHEN 'int' THEN CAST(int_value AS TEXT)
    WHEN 'uint' THEN printf('%u', int_value)
    WHEN 'string' THEN string_value
    WHEN 'json' THEN string_value
    WHEN 'real' THEN CAST(real_value AS TEXT)
    WHEN 'pointer' THEN printf('0x%x', int_value)
    WHEN 'bool' THEN iif(int_value, 'true', 'false')
  END AS display_value
FROM __intrinsic_args;

-- Processes, threads, CPUs, scheduling

CREATE VIRTUAL TABLE thread USING __intrinsic_dataframe(
  __intrinsic_thread, id AS utid, id, tid, name, start_ts, end_ts, upid, is_main_thread, is_idle,
  machine_id, arg_set_id);

CREATE VIRTUAL TABLE process USING __intrinsic_dataframe(
  __intrinsic_process, id AS upid, id, pid, name, start_ts, end_ts, parent_upid, uid,
  android_appid, android_user_id, cmdline, arg_set_id, machine_id);

-- Raw rows exist for every possible CPU; those seen have a number.
CREATE VIEW cpu AS
SELECT id, id AS ucpu, cpu, cluster_id, processor, machine_id, capacity, arg_set_id
FROM __intrinsic_cpu WHERE cpu IS NOT NULL;

CREATE VIRTUAL TABLE cpu_available_frequencies USING __intrinsic_dataframe(
  __intrinsic_cpu_freq, id, ucpu AS cpu, freq, ucpu);

CREATE VIEW sched AS
SELECT id, ts, dur, ucpu AS cpu, utid, end_state, priority, ucpu, ts + dur AS ts_end
FROM __intrinsic_sched_slice;

CREATE VIRTUAL TABLE sched_slice USING __intrinsic_dataframe(
  __intrinsic_sched_slice, id, ts, dur, ucpu AS cpu, utid, end_state, priority, ucpu);

CREATE VIRTUAL TABLE thread_state USING __intrinsic_dataframe(
  __intrinsic_thread_state, id, ts, dur, ucpu AS cpu, utid, state, io_wait, blocked_function,
  waker_utid, waker_id, irq_context, ucpu);

CREATE VIRTUAL TABLE spurious_sched_wakeup USING __intrinsic_dataframe(
  __intrinsic_spurious_sched_wakeup, id, ts, thread_state_id, irq_context, utid, waker_utid);

CREATE VIRTUAL TABLE ftrace_event USING __intrinsic_dataframe(
  __intrinsic_ftrace_event, id, ts, name, ucpu AS cpu, utid, arg_set_id, common_flags, ucpu);

CREATE VIRTUAL TABLE raw USING __intrinsic_dataframe(
  __intrinsic_ftrace_event, id, ts, name, ucpu AS cpu, utid, arg_set_id, common_flags, ucpu);

-- Callstacks and samples

CREATE VIRTUAL TABLE stack_profile_mapping USING __intrinsic_dataframe(
  __intrinsic_stack_profile_mapping, id, build_id, exact_offset, start_offset, start, end,
  load_bias, name);

CREATE VIRTUAL TABLE stack_profile_frame USING __intrinsic_dataframe(
  __intrinsic_stack_profile_frame, id, name, mapping, rel_pc, symbol_set_id, deobfuscated_name,
  type);

CREATE VIRTUAL TABLE stack_profile_callsite USING __intrinsic_dataframe(
  __intrinsic_stack_profile_callsite, id, depth, parent_id, frame_id);

CREATE VIRTUAL TABLE stack_profile_symbol USING __intrinsic_dataframe(
  __intrinsic_stack_profile_symbol, id, symbol_set_id, name, source_file, line_number, inlined);

CREATE VIEW perf_session AS
SELECT id, id AS perf_session_id, cmdline
FROM __intrinsic_profiler_session WHERE source = 'linux.perf';

CREATE VIEW perf_sample AS
SELECT s.id, s.ts, task.utid, cpu.cpu, coalesce(execution.cpu_mode, 'unknown') AS cpu_mode,
  s.callsite_id, s.unwind_error, s.session_id AS perf_session_id
FROM __intrinsic_profiler_sample AS s
LEFT JOIN __intrinsic_profiler_task_context AS task ON task.id = s.task_context_id
LEFT JOIN __intrinsic_profiler_execution_context AS execution
  ON execution.id = s.execution_context_id
LEFT JOIN __intrinsic_cpu AS cpu ON cpu.id = execution.ucpu
WHERE s.source = 'linux.perf';

-- Sources of the reference first, then those of formats that it does not read.
CREATE VIEW cpu_profile_stack_sample AS
SELECT s.id, s.ts, s.callsite_id, task.utid,
  coalesce(extra.process_priority, 0) AS process_priority
FROM __intrinsic_profiler_sample AS s
LEFT JOIN __intrinsic_profiler_task_context AS task ON task.id = s.task_context_id
LEFT JOIN __intrinsic_chrome_stack_sample_extras AS extra ON extra.profiler_sample_id = s.id
WHERE s.source IN ('chrome', 'legacy_v8', 'gecko', 'simpleperf', 'perf_text', 'instruments', 'P',
  'samples', 'v8_sample', 'cpuprofile', 'speedscope');

CREATE VIEW instruments_sample AS
SELECT s.id, s.ts, task.utid, s.callsite_id, cpu.cpu
FROM __intrinsic_profiler_sample AS s
LEFT JOIN __intrinsic_profiler_task_context AS task ON task.id = s.task_context_id
LEFT JOIN __intrinsic_profiler_execution_context AS execution
  ON execution.id = s.execution_context_id
LEFT JOIN __intrinsic_cpu AS cpu ON cpu.id = execution.ucpu
WHERE s.source = 'instruments';

CREATE VIEW stack_sample AS
SELECT id, ts, source, task_context_id, execution_context_id, callsite_id, session_id
FROM __intrinsic_profiler_sample WHERE callsite_id IS NOT NULL;

CREATE VIEW stack_sample_session AS
SELECT id, source, timebase_unit, cmdline FROM __intrinsic_profiler_session
WHERE id IN (SELECT session_id FROM stack_sample);

CREATE VIEW stack_sample_task_context AS
SELECT id, upid, utid, async_context_id FROM __intrinsic_profiler_task_context
WHERE id IN (SELECT task_context_id FROM stack_sample);

CREATE VIEW stack_sample_execution_context AS
SELECT id, ucpu, cpu_mode FROM __intrinsic_profiler_execution_context
WHERE id IN (SELECT execution_context_id FROM stack_sample);

CREATE VIEW stack_sample_async_context AS
WITH RECURSIVE used(id) AS (
  SELECT async_context_id FROM stack_sample_task_context WHERE async_context_id IS NOT NULL
  UNION
  SELECT c.parent_id FROM __intrinsic_profiler_async_context AS c JOIN used USING (id)
  WHERE c.parent_id IS NOT NULL)
SELECT id, name, kind, parent_id FROM __intrinsic_profiler_async_context
WHERE id IN (SELECT id FROM used);

CREATE VIEW stack_sample_counter AS
SELECT c.id, s.id AS stack_sample_id, c.track_id, c.value
FROM stack_sample AS s
JOIN __intrinsic_profiler_sample AS raw ON raw.id = s.id
JOIN __intrinsic_profiler_counter_set AS of_set ON of_set.counter_set_id = raw.counter_set_id
JOIN __intrinsic_counter AS c ON c.id = of_set.counter_id;

CREATE VIEW stack_sample_counter_track AS
SELECT id, name, type, parent_id, source_arg_set_id, machine_id, unit, description,
  coalesce(extract_arg(dimension_arg_set_id, 'session_id'),
    extract_arg(dimension_arg_set_id, 'perf_session_id')) AS session_id,
  extract_arg(dimension_arg_set_id, 'cpu') AS cpu,
  extract_arg(source_arg_set_id, 'is_timebase') AS is_timebase
FROM counter_track WHERE id IN (SELECT track_id FROM stack_sample_counter);

CREATE VIRTUAL TABLE json_sample USING __intrinsic_dataframe(
  __intrinsic_json_sample, id, ts, utid, cpu, name, weight, callsite_id, source);

CREATE VIRTUAL TABLE aggregate_profile USING __intrinsic_dataframe(
  __intrinsic_aggregate_profile, id, scope, name, sample_type_type, sample_type_unit);

CREATE VIRTUAL TABLE aggregate_sample USING __intrinsic_dataframe(
  __intrinsic_aggregate_sample, id, aggregate_profile_id, callsite_id, value);

CREATE VIRTUAL TABLE heap_profile USING __intrinsic_dataframe(
  __intrinsic_heap_profile, id, ts, ts_end, dur, upid, heap_name);

CREATE VIRTUAL TABLE heap_profile_allocation USING __intrinsic_dataframe(
  __intrinsic_heap_profile_allocation, id, ts, upid, heap_name, callsite_id, count, size);

CREATE VIRTUAL TABLE heap_graph USING __intrinsic_dataframe(
  __intrinsic_heap_graph, id, ts, upid, dump_reason, heap_size, truncated);

CREATE VIRTUAL TABLE heap_graph_class USING __intrinsic_dataframe(
  __intrinsic_heap_graph_class, id, name, deobfuscated_name, location, superclass_id,
  classloader_id, kind);

CREATE VIRTUAL TABLE heap_graph_object USING __intrinsic_dataframe(
  __intrinsic_heap_graph_object, id, upid, graph_sample_ts, self_size, native_size,
  reference_set_id, reachable, heap_type, type_id, root_type, root_distance, object_data_id);

CREATE VIRTUAL TABLE heap_graph_reference USING __intrinsic_dataframe(
  __intrinsic_heap_graph_reference, id, reference_set_id, owner_id, owned_id, field_name,
  field_type_name, deobfuscated_field_name);

CREATE VIRTUAL TABLE profiler_smaps USING __intrinsic_dataframe(
  __intrinsic_profiler_smaps, id, upid, ts, path, path_trimmed, aggregate_count, is_deleted,
  size_kb, private_dirty_kb, swap_kb, file_name, start_address, module_timestamp, module_debugid,
  module_debug_path, protection_flags, private_clean_resident_kb, shared_dirty_resident_kb,
  shared_clean_resident_kb, locked_kb, proportional_resident_kb, rss_kb, anonymous_kb,
  pss_dirty_kb, swap_pss_kb);

CREATE VIEW process_memory_mappings AS
SELECT id, upid, ts, path_trimmed AS path, aggregate_count, is_deleted, size_kb, rss_kb,
  anonymous_kb, swap_kb, shared_clean_resident_kb AS shared_clean_kb,
  shared_dirty_resident_kb AS shared_dirty_kb, private_clean_resident_kb AS private_clean_kb,
  private_dirty_kb, locked_kb, proportional_resident_kb AS pss_kb, pss_dirty_kb, swap_pss_kb
FROM __intrinsic_profiler_smaps;

-- JSON events without a place elsewhere

CREATE VIRTUAL TABLE json_unfinished_complete USING __intrinsic_dataframe(
  __intrinsic_json_unfinished_complete, id, ts, utid, category, name, thread_ts, arg_set_id, cname);

CREATE VIRTUAL TABLE json_unhandled_event USING __intrinsic_dataframe(
  __intrinsic_json_unhandled_event, id, ts, phase, utid, raw_json);

CREATE VIRTUAL TABLE json_metadata_event USING __intrinsic_dataframe(
  __intrinsic_json_metadata_event, id, name, ts, upid, utid, arg_set_id);

CREATE VIRTUAL TABLE json_clock_sync_marker USING __intrinsic_dataframe(
  __intrinsic_json_clock_sync_marker, id, trace_file_id, domain, sync_id, start_ts, end_ts, role);

CREATE VIRTUAL TABLE json_clock_edge USING __intrinsic_dataframe(
  __intrinsic_json_clock_edge, id, from_domain, to_domain, offset_ns, error_ns, sync_id, is_used);

CREATE VIRTUAL TABLE json_trace_clock USING __intrinsic_dataframe(
  __intrinsic_json_trace_clock, id, trace_file_id, domain, offset_ns, slope, error_ns, path);
-- What JSON events say of objects, contexts, ids and colours

CREATE VIRTUAL TABLE json_async_slice USING __intrinsic_dataframe(
  __intrinsic_json_async_slice, id, slice_id, id_text, scope, is_local, phase_begin, begin_utid,
  end_utid, group_upid, did_not_finish);

CREATE VIRTUAL TABLE json_user_timing USING __intrinsic_dataframe(
  __intrinsic_json_user_timing, id, slice_id, group_name, title, arg_set_id);

CREATE VIRTUAL TABLE json_event_color USING __intrinsic_dataframe(
  __intrinsic_json_event_color, id, kind, row_id, cname);

CREATE VIRTUAL TABLE json_object_instance USING __intrinsic_dataframe(
  __intrinsic_json_object_instance, id, object_id, scope, upid, base_type, type_name, category,
  creation_ts, deletion_ts, created_explicitly, deleted_explicitly, cname, creation_arg_set_id,
  deletion_arg_set_id);

CREATE VIRTUAL TABLE json_object_snapshot USING __intrinsic_dataframe(
  __intrinsic_json_object_snapshot, id, instance_id, ts, type_name, category, is_implicit,
  container_snapshot_id, utid, arg_set_id, raw_json);

CREATE VIRTUAL TABLE json_object_ref USING __intrinsic_dataframe(
  __intrinsic_json_object_ref, id, owner_kind, owner_id, arg_key, ts, target_upid, target_scope,
  target_id, instance_id, snapshot_id);

CREATE VIRTUAL TABLE json_context USING __intrinsic_dataframe(
  __intrinsic_json_context, id, object_id, scope, upid, type_name, utid, enter_ts, leave_ts,
  instance_id, snapshot_id);

CREATE VIRTUAL TABLE json_slice_context USING __intrinsic_dataframe(
  __intrinsic_json_slice_context, id, slice_id, context_id);

CREATE VIRTUAL TABLE json_linked_id USING __intrinsic_dataframe(
  __intrinsic_json_linked_id, id, ts, utid, category, name, id_a, scope_a, upid_a, id_b, scope_b,
  upid_b);

CREATE VIRTUAL TABLE json_id_class USING __intrinsic_dataframe(
  __intrinsic_json_id_class, id, kind, id_text, scope, upid, class_id);

CREATE VIRTUAL TABLE json_annotation USING __intrinsic_dataframe(
  __intrinsic_json_annotation, id, type, ts, text, raw_json);

-- Memory dumps of JSON events

CREATE VIRTUAL TABLE json_memory_dump USING __intrinsic_dataframe(
  __intrinsic_json_memory_dump, id, dump_id, snapshot_id, process_snapshot_id, upid, ts, dur,
  name, level_of_detail, arg_set_id);

CREATE VIRTUAL TABLE json_memory_total USING __intrinsic_dataframe(
  __intrinsic_json_memory_total, id, process_snapshot_id, name, value, is_platform_specific);

CREATE VIRTUAL TABLE json_memory_region USING __intrinsic_dataframe(
  __intrinsic_json_memory_region, id, process_snapshot_id, start_address, size, protection,
  protection_text, file, pss, private_clean, private_dirty, shared_clean, shared_dirty, swapped,
  class_path);

CREATE VIRTUAL TABLE json_heap_entry USING __intrinsic_dataframe(
  __intrinsic_json_heap_entry, id, process_snapshot_id, allocator, callsite_id, type_name, size,
  count, format);

-- Logs

CREATE VIRTUAL TABLE logs USING __intrinsic_dataframe(
  __intrinsic_logs, id, ts, utid, prio, log_source, tag, msg, arg_set_id);

CREATE VIEW android_logs AS
SELECT id, ts, utid, prio, tag, msg FROM __intrinsic_logs WHERE log_source = 'android_logcat';

-- Android

CREATE VIRTUAL TABLE android_dumpstate USING __intrinsic_dataframe(
  __intrinsic_android_dumpstate, id, section, service, line);

CREATE VIRTUAL TABLE package_list USING __intrinsic_dataframe(
  __intrinsic_package_list, id, package_name, uid, debuggable, profileable_from_shell,
  version_code);

CREATE VIRTUAL TABLE filedescriptor USING __intrinsic_dataframe(
  __intrinsic_filedescriptor, id, ufd, fd, ts, upid, path);

CREATE VIRTUAL TABLE android_game_intervention_list USING __intrinsic_dataframe(
  __intrinsic_android_game_intervention_list, id, package_name, uid, current_mode,
  standard_mode_supported, standard_mode_downscale, standard_mode_use_angle, standard_mode_fps,
  perf_mode_supported, perf_mode_downscale, perf_mode_use_angle, perf_mode_fps,
  battery_mode_supported, battery_mode_downscale, battery_mode_use_angle, battery_mode_fps);

-- Graphics

CREATE VIRTUAL TABLE gpu_counter_group USING __intrinsic_dataframe(
  __intrinsic_gpu_counter_group, id, group_id, track_id, name, description);

CREATE VIRTUAL TABLE vulkan_memory_allocations USING __intrinsic_dataframe(
  __intrinsic_vulkan_memory_allocations, id, arg_set_id, source, operation, timestamp, upid,
  device, device_memory, memory_type, heap, function_name, object_handle, memory_address,
  memory_size, scope);

CREATE VIEW gpu AS
SELECT id, id AS ugpu, gpu, name, vendor, model, architecture, uuid, pci_bdf, machine_id, arg_set_id
FROM __intrinsic_gpu WHERE gpu IS NOT NULL;

CREATE VIEW gpu_slice AS
SELECT s.id, s.ts, s.dur, s.track_id, s.category, s.name, s.depth, s.parent_id, s.arg_set_id,
  extract_arg(s.arg_set_id, 'context_id') AS context_id,
  extract_arg(s.arg_set_id, 'render_target') AS render_target,
  extract_arg(s.arg_set_id, 'render_target_name') AS render_target_name,
  extract_arg(s.arg_set_id, 'render_pass') AS render_pass,
  extract_arg(s.arg_set_id, 'render_pass_name') AS render_pass_name,
  extract_arg(s.arg_set_id, 'command_buffer') AS command_buffer,
  extract_arg(s.arg_set_id, 'command_buffer_name') AS command_buffer_name,
  extract_arg(s.arg_set_id, 'frame_id') AS frame_id,
  extract_arg(s.arg_set_id, 'submission_id') AS submission_id,
  extract_arg(s.arg_set_id, 'hw_queue_id') AS hw_queue_id,
  extract_arg(s.arg_set_id, 'upid') AS upid,
  extract_arg(s.arg_set_id, 'render_subpasses') AS render_subpasses,
  extract_arg(s.arg_set_id, 'render_stage_category') AS render_stage_category
FROM __intrinsic_slice AS s JOIN __intrinsic_track AS t ON t.id = s.track_id
WHERE t.type IN ('gpu_render_stage', 'vulkan_events', 'gpu_log');

CREATE VIEW frame_slice AS
SELECT s.id, s.ts, s.dur, s.track_id, s.category, s.name, s.depth, s.parent_id, s.arg_set_id,
  extract_arg(s.arg_set_id, 'layer_name') AS layer_name,
  extract_arg(s.arg_set_id, 'frame_number') AS frame_number,
  extract_arg(s.arg_set_id, 'queue_to_acquire_time') AS queue_to_acquire_time,
  extract_arg(s.arg_set_id, 'acquire_to_latch_time') AS acquire_to_latch_time,
  extract_arg(s.arg_set_id, 'latch_to_present_time') AS latch_to_present_time
FROM __intrinsic_slice AS s JOIN __intrinsic_track AS t ON t.id = s.track_id
WHERE t.type = 'graphics_frame_event';

CREATE VIEW expected_frame_timeline_slice AS
SELECT s.id, s.ts, s.dur, s.track_id, s.category, s.name, s.depth, s.parent_id, s.arg_set_id,
  extract_arg(s.arg_set_id, 'Display frame token') AS display_frame_token,
  extract_arg(s.arg_set_id, 'Surface frame token') AS surface_frame_token,
  t.upid,
  extract_arg(s.arg_set_id, 'Layer name') AS layer_name
FROM __intrinsic_slice AS s JOIN __intrinsic_track AS t ON t.id = s.track_id
WHERE t.type = 'android_expected_frame_timeline'
ORDER BY s.id;

CREATE VIEW actual_frame_timeline_slice AS
SELECT s.id, s.ts, s.dur, s.track_id, s.category, s.name, s.depth, s.parent_id, s.arg_set_id,
  extract_arg(s.arg_set_id, 'Display frame token') AS display_frame_token,
  extract_arg(s.arg_set_id, 'Surface frame token') AS surface_frame_token,
  t.upid,
  extract_arg(s.arg_set_id, 'Layer name') AS layer_name,
  extract_arg(s.arg_set_id, 'Present type') AS present_type,
  extract_arg(s.arg_set_id, 'On time finish') AS on_time_finish,
  extract_arg(s.arg_set_id, 'GPU composition') AS gpu_composition,
  extract_arg(s.arg_set_id, 'Jank type') AS jank_type,
  extract_arg(s.arg_set_id, 'Jank severity type') AS jank_severity_type,
  extract_arg(s.arg_set_id, 'Prediction type') AS prediction_type,
  extract_arg(s.arg_set_id, 'Jank tag') AS jank_tag,
  extract_arg(s.arg_set_id, 'Jank tag (experimental)') AS jank_tag_experimental,
  extract_arg(s.arg_set_id, 'Jank Severity Score') AS jank_score,
  extract_arg(s.arg_set_id, 'Latched unsignaled count') AS latched_unsignaled_count,
  extract_arg(s.arg_set_id, 'Addressable unsignaled latch count') AS addressable_unsignaled_latch_count,
  extract_arg(s.arg_set_id, 'Latched fence state') AS latched_fence_state
FROM __intrinsic_slice AS s JOIN __intrinsic_track AS t ON t.id = s.track_id
WHERE t.type = 'android_actual_frame_timeline'
ORDER BY s.id;

-- Memory dumps

CREATE VIRTUAL TABLE memory_snapshot USING __intrinsic_dataframe(
  __intrinsic_memory_snapshot, id, timestamp, track_id, detail_level);

CREATE VIRTUAL TABLE process_memory_snapshot USING __intrinsic_dataframe(
  __intrinsic_process_memory_snapshot, id, snapshot_id, upid);

CREATE VIRTUAL TABLE memory_snapshot_node USING __intrinsic_dataframe(
  __intrinsic_memory_snapshot_node, id, process_snapshot_id, parent_node_id, path, size,
  effective_size, arg_set_id);

CREATE VIRTUAL TABLE memory_snapshot_edge USING __intrinsic_dataframe(
  __intrinsic_memory_snapshot_edge, id, source_node_id, target_node_id, importance, arg_set_id);
CREATE VIRTUAL TABLE interrupt_mapping USING __intrinsic_dataframe(
  __intrinsic_interrupt_mapping, id, irq_id, name);

-- Merged traces: how files and clocks got onto the timeline. trace_file is known to
-- the documents only; clock, clock_edge, clock_contradiction and placement are ours.

CREATE VIRTUAL TABLE trace_file USING __intrinsic_dataframe(
  __intrinsic_trace_file, id, parent_id, name, size, trace_type, processing_order, is_container);

CREATE VIRTUAL TABLE clock USING __intrinsic_dataframe(
  __intrinsic_clock, id, domain, name, machine_id, trace_id, sequence, readings, segments, label,
  next_clock, next_kind);

CREATE VIRTUAL TABLE clock_edge USING __intrinsic_dataframe(
  __intrinsic_clock_edge, id, from_clock, to_clock, kind, source, observations, uncertainty_ns,
  trace_id, byte_offset, is_used);

CREATE VIRTUAL TABLE clock_contradiction USING __intrinsic_dataframe(
  __intrinsic_clock_contradiction, id, clock_a, clock_b, kind, observations, apart_ns, bound_ns,
  reading_a, reading_b, path_a, path_b, trace_id, byte_offset);

CREATE VIRTUAL TABLE placement USING __intrinsic_dataframe(
  __intrinsic_placement, id, trace_id, machine_id, clock_id, rule, path, offset_start_ns,
  offset_end_ns, uncertainty_ns, placed, dropped_no_path, dropped_ambiguous, dropped_range, negative, first_ts,
  last_ts);

CREATE VIRTUAL TABLE flow_violation USING __intrinsic_dataframe(
  __intrinsic_flow_violation, id, trace_id, slice_out, slice_in, start_ts, end_ts,
  off_by_at_least_ns);

CREATE VIRTUAL TABLE flow_bound USING __intrinsic_dataframe(
  __intrinsic_flow_bound, id, from_trace_id, from_machine_id, to_trace_id, to_machine_id, flows,
  violations, least_ns);
