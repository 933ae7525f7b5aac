-- Transitions of windows.

-- Windows and layers of each transition.
CREATE PERFETTO VIEW android_window_manager_shell_transition_participants(
  -- Number of the transition.
  transition_id LONG,
  -- Number of the layer.
  layer_id LONG,
  -- Number of the window.
  window_id LONG,
  -- Kind of the change.
  mode LONG,
  -- Flags of the change, as the window manager defines them.
  flags LONG,
  -- Display at the start.
  start_display_id LONG,
  -- Display at the end.
  end_display_id LONG,
  -- Rotation at the start.
  start_rotation LONG,
  -- Rotation at the end.
  end_rotation LONG,
  -- Row of android_winscope_rect at the start.
  start_abs_bounds_rect_id LONG,
  -- Row of android_winscope_rect at the end.
  end_abs_bounds_rect_id LONG
) AS
SELECT
  transition_id, layer_id, window_id, mode, flags, start_display_id, end_display_id,
  start_rotation, end_rotation, start_abs_bounds_rect_id, end_abs_bounds_rect_id
FROM __intrinsic_window_manager_shell_transition_participants;

-- Messages of each transition.
CREATE PERFETTO VIEW android_window_manager_shell_transition_protos(
  -- Number of the transition.
  transition_id LONG,
  -- Message, interned as base64.
  base64_proto_id LONG
) AS
SELECT transition_id, base64_proto_id
FROM __intrinsic_window_manager_shell_transition_protos;
