-- Windows of the window manager.

-- Snapshots of the window manager.
CREATE PERFETTO VIEW android_windowmanager(
  -- Row number.
  id LONG,
  -- Time, ns.
  ts TIMESTAMP,
  -- Args.
  arg_set_id ARGSETID,
  -- Raw message, as a number of the string pool.
  base64_proto_id LONG,
  -- Display with the focus.
  focused_display_id LONG,
  -- 1 if the time of the snapshot is not reliable.
  has_invalid_elapsed_ts BOOL
) AS
SELECT id, ts, arg_set_id, base64_proto_id, focused_display_id, has_invalid_elapsed_ts
FROM __intrinsic_windowmanager;

-- Containers of windows.
CREATE PERFETTO VIEW android_windowmanager_windowcontainer(
  -- Row number.
  id LONG,
  -- Snapshot.
  snapshot_id LONG,
  -- Args.
  arg_set_id ARGSETID,
  -- Raw message, as a number of the string pool.
  base64_proto_id LONG,
  -- Title.
  title STRING,
  -- Token.
  token LONG,
  -- Token of the parent.
  parent_token LONG,
  -- Position below the parent.
  child_index LONG,
  -- 1 if the container is visible.
  is_visible BOOL,
  -- Rectangle.
  window_rect_id LONG,
  -- Kind of container.
  container_type STRING,
  -- Name that replaces the title.
  name_override STRING
) AS
SELECT
  id, snapshot_id, arg_set_id, base64_proto_id, title, token, parent_token, child_index,
  is_visible, window_rect_id, container_type, name_override
FROM __intrinsic_windowmanager_windowcontainer;
