-- Transitions of windows.

-- Windows and layers of transitions.
CREATE PERFETTO VIEW android_window_manager_shell_transition_participants(
  -- Transition.
  transition_id LONG,
  -- Layer.
  layer_id LONG,
  -- Window.
  window_id LONG,
  -- How the window takes part: open, close, change ...
  mode LONG,
  -- Flags.
  flags LONG,
  -- Display before.
  start_display_id LONG,
  -- Display after.
  end_display_id LONG,
  -- Rotation before.
  start_rotation LONG,
  -- Rotation after.
  end_rotation LONG,
  -- Rectangle before.
  start_abs_bounds_rect_id LONG,
  -- Rectangle after.
  end_abs_bounds_rect_id LONG
) AS
SELECT
  transition_id, layer_id, window_id, mode, flags, start_display_id, end_display_id,
  start_rotation, end_rotation, start_abs_bounds_rect_id, end_abs_bounds_rect_id
FROM __intrinsic_window_manager_shell_transition_participants;

-- Raw messages of transitions.
CREATE PERFETTO VIEW android_window_manager_shell_transition_protos(
  -- Transition.
  transition_id LONG,
  -- Raw message, as a number of the string pool.
  base64_proto_id LONG
) AS
SELECT transition_id, base64_proto_id
FROM __intrinsic_window_manager_shell_transition_protos;
