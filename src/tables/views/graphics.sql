-- Graphics

-- GPUs that were seen.
CREATE PERFETTO VIEW gpu(
  -- Row number.
  id ID,
  -- Same as id.
  ugpu LONG,
  -- Number on its machine.
  gpu LONG,
  -- Name.
  name STRING,
  -- Maker.
  vendor STRING,
  -- Model.
  model STRING,
  -- Architecture.
  architecture STRING,
  -- Id, in hex.
  uuid STRING,
  -- PCI address.
  pci_bdf STRING,
  -- Row of machine.
  machine_id JOINID(machine.id),
  -- Args.
  arg_set_id ARGSETID
) AS
SELECT id, id AS ugpu, gpu, name, vendor, model, architecture, uuid, pci_bdf, machine_id, arg_set_id
FROM __intrinsic_gpu WHERE gpu IS NOT NULL;

-- Slices of GPUs.
CREATE PERFETTO VIEW gpu_slice(
  -- Row number.
  id ID,
  -- Start, ns of trace time.
  ts TIMESTAMP,
  -- Duration, ns; -1 if it never ended.
  dur DURATION,
  -- Row of track.
  track_id JOINID(track.id),
  -- Category.
  category STRING,
  -- Name.
  name STRING,
  -- 0 for the outermost.
  depth LONG,
  -- Row of slice that contains it.
  parent_id JOINID(slice.id),
  -- Args.
  arg_set_id ARGSETID,
  -- Id of the graphics context.
  context_id LONG,
  -- Handle of the render target.
  render_target LONG,
  -- Name of the render target.
  render_target_name STRING,
  -- Handle of the render pass.
  render_pass LONG,
  -- Name of the render pass.
  render_pass_name STRING,
  -- Handle of the command buffer.
  command_buffer LONG,
  -- Name of the command buffer.
  command_buffer_name STRING,
  -- Id of the frame.
  frame_id LONG,
  -- Id of the submission.
  submission_id LONG,
  -- Id of the hardware queue.
  hw_queue_id LONG,
  -- Row of process, if it is a process's.
  upid JOINID(process.id),
  -- Subpasses of the render pass.
  render_subpasses STRING,
  -- Category of the render stage.
  render_stage_category LONG
) AS
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

-- Stages of graphics frames on their way to the display.
CREATE PERFETTO VIEW frame_slice(
  -- Row number.
  id ID,
  -- Start, ns of trace time.
  ts TIMESTAMP,
  -- Duration, ns; -1 if it never ended.
  dur DURATION,
  -- Row of track.
  track_id JOINID(track.id),
  -- Category.
  category STRING,
  -- Name.
  name STRING,
  -- 0 for the outermost.
  depth LONG,
  -- Row of slice that contains it.
  parent_id JOINID(slice.id),
  -- Args.
  arg_set_id ARGSETID,
  -- Name of the layer.
  layer_name STRING,
  -- Number of the frame.
  frame_number LONG,
  -- Time from queueing to acquiring the frame, ns.
  queue_to_acquire_time LONG,
  -- Time from acquiring to latching the frame, ns.
  acquire_to_latch_time LONG,
  -- Time from latching to presenting the frame, ns.
  latch_to_present_time LONG
) AS
SELECT s.id, s.ts, s.dur, s.track_id, s.category, s.name, s.depth, s.parent_id, s.arg_set_id,
  extract_arg(s.arg_set_id, 'layer_name') AS layer_name,
  extract_arg(s.arg_set_id, 'frame_number') AS frame_number,
  extract_arg(s.arg_set_id, 'queue_to_acquire_time') AS queue_to_acquire_time,
  extract_arg(s.arg_set_id, 'acquire_to_latch_time') AS acquire_to_latch_time,
  extract_arg(s.arg_set_id, 'latch_to_present_time') AS latch_to_present_time
FROM __intrinsic_slice AS s JOIN __intrinsic_track AS t ON t.id = s.track_id
WHERE t.type = 'graphics_frame_event';

-- Expected times of frames.
CREATE PERFETTO VIEW expected_frame_timeline_slice(
  -- Row number.
  id ID,
  -- Start, ns of trace time.
  ts TIMESTAMP,
  -- Duration, ns; -1 if it never ended.
  dur DURATION,
  -- Row of track.
  track_id JOINID(track.id),
  -- Category.
  category STRING,
  -- Name.
  name STRING,
  -- 0 for the outermost.
  depth LONG,
  -- Row of slice that contains it.
  parent_id JOINID(slice.id),
  -- Args.
  arg_set_id ARGSETID,
  -- Token of the frame of the display.
  display_frame_token LONG,
  -- Token of the frame of the surface.
  surface_frame_token LONG,
  -- Row of process, if it is a process's.
  upid JOINID(process.id),
  -- Name of the layer.
  layer_name STRING
) AS
SELECT s.id, s.ts, s.dur, s.track_id, s.category, s.name, s.depth, s.parent_id, s.arg_set_id,
  extract_arg(s.arg_set_id, 'Display frame token') AS display_frame_token,
  extract_arg(s.arg_set_id, 'Surface frame token') AS surface_frame_token,
  t.upid,
  extract_arg(s.arg_set_id, 'Layer name') AS layer_name
FROM __intrinsic_slice AS s JOIN __intrinsic_track AS t ON t.id = s.track_id
WHERE t.type = 'android_expected_frame_timeline'
ORDER BY s.id;

-- Actual times of frames.
CREATE PERFETTO VIEW actual_frame_timeline_slice(
  -- Row number.
  id ID,
  -- Start, ns of trace time.
  ts TIMESTAMP,
  -- Duration, ns; -1 if it never ended.
  dur DURATION,
  -- Row of track.
  track_id JOINID(track.id),
  -- Category.
  category STRING,
  -- Name.
  name STRING,
  -- 0 for the outermost.
  depth LONG,
  -- Row of slice that contains it.
  parent_id JOINID(slice.id),
  -- Args.
  arg_set_id ARGSETID,
  -- Token of the frame of the display.
  display_frame_token LONG,
  -- Token of the frame of the surface.
  surface_frame_token LONG,
  -- Row of process, if it is a process's.
  upid JOINID(process.id),
  -- Name of the layer.
  layer_name STRING,
  -- Time of presentation: on time, late, early ...
  present_type STRING,
  -- 1 if the app finished it on time.
  on_time_finish LONG,
  -- 1 if it was composed by the GPU.
  gpu_composition LONG,
  -- Reason for the jank.
  jank_type STRING,
  -- Severity of the jank: none, partial, full.
  jank_severity_type STRING,
  -- Whether the expected times are known.
  prediction_type STRING,
  -- Cause of the jank: this process or another.
  jank_tag STRING,
  -- As jank_tag, by a newer rule.
  jank_tag_experimental STRING,
  -- Severity as a number.
  jank_score DOUBLE,
  -- Buffers that were latched before their fences signaled.
  latched_unsignaled_count LONG,
  -- Avoidable latches among these.
  addressable_unsignaled_latch_count LONG,
  -- State of the fence when the buffer was latched.
  latched_fence_state STRING
) AS
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
