-- Containers of the window manager.

-- Snapshots of the window manager.
CREATE PERFETTO VIEW android_windowmanager(
  -- Row number.
  id LONG,
  -- Time, ns.
  ts TIMESTAMP,
  -- Args of the message.
  arg_set_id ARGSETID,
  -- Message, interned as base64.
  base64_proto_id LONG,
  -- Display that has the focus.
  focused_display_id LONG,
  -- 1 if the message has no elapsed time.
  has_invalid_elapsed_ts BOOL
) AS
SELECT id, ts, arg_set_id, base64_proto_id, focused_display_id, has_invalid_elapsed_ts
FROM __intrinsic_windowmanager;

-- Containers of each snapshot.
CREATE PERFETTO VIEW android_windowmanager_windowcontainer(
  -- Row number.
  id LONG,
  -- Row of the snapshot.
  snapshot_id LONG,
  -- Args of the message.
  arg_set_id ARGSETID,
  -- Message, interned as base64.
  base64_proto_id LONG,
  -- Title of the window or container.
  title STRING,
  -- Number by which the window manager identifies the container.
  token LONG,
  -- `token` of the container around it.
  parent_token LONG,
  -- Position below the parent.
  child_index LONG,
  -- 1 if it is visible.
  is_visible BOOL,
  -- Row of android_winscope_trace_rect.
  window_rect_id LONG,
  -- Kind of container.
  container_type STRING,
  -- Name to show instead of the title.
  name_override STRING
) AS
SELECT
  id, snapshot_id, arg_set_id, base64_proto_id, title, token, parent_token, child_index,
  is_visible, window_rect_id, container_type, name_override
FROM __intrinsic_windowmanager_windowcontainer;
