-- Hierarchies of views.

-- Snapshots of the views of a window.
CREATE PERFETTO VIEW android_viewcapture(
  -- Row number.
  id LONG,
  -- Time, ns.
  ts TIMESTAMP,
  -- Args of the message.
  arg_set_id ARGSETID,
  -- Package.
  package_name STRING,
  -- Window.
  window_name STRING
) AS
SELECT id, ts, arg_set_id, package_name, window_name
FROM __intrinsic_viewcapture;

-- Views of each snapshot.
CREATE PERFETTO VIEW android_viewcapture_view(
  -- Row number.
  id LONG,
  -- Row of the snapshot.
  snapshot_id LONG,
  -- Args of the message.
  arg_set_id ARGSETID,
  -- Number of the view.
  node_id LONG,
  -- Hash of the view.
  hashcode LONG,
  -- 1 if it is visible.
  is_visible LONG,
  -- Number of the parent.
  parent_id LONG,
  -- Name of the view.
  view_id STRING,
  -- Class of the view.
  class_name STRING,
  -- Row of android_winscope_trace_rect.
  trace_rect_id LONG
) AS
SELECT
  id, snapshot_id, arg_set_id, node_id, hashcode, is_visible, parent_id, view_id, class_name,
  trace_rect_id
FROM __intrinsic_viewcapture_view;
