-- Rectangles of windows and layers.

-- Rectangles.
CREATE PERFETTO VIEW android_winscope_rect(
  -- Row number.
  id LONG,
  -- Left edge.
  x DOUBLE,
  -- Upper edge.
  y DOUBLE,
  -- Width.
  w DOUBLE,
  -- Height.
  h DOUBLE
) AS
SELECT id, x, y, w, h FROM __intrinsic_winscope_rect;

-- Transformations of rectangles.
CREATE PERFETTO VIEW android_winscope_transform(
  -- Row number.
  id LONG,
  -- Scale and rotation: x by x.
  dsdx DOUBLE,
  -- Scale and rotation: y by x.
  dtdx DOUBLE,
  -- Shift along x.
  tx DOUBLE,
  -- Scale and rotation: x by y.
  dtdy DOUBLE,
  -- Scale and rotation: y by y.
  dsdy DOUBLE,
  -- Shift along y.
  ty DOUBLE
) AS
SELECT id, dsdx, dtdx, tx, dtdy, dsdy, ty FROM __intrinsic_winscope_transform;

-- Rectangles as they are drawn.
CREATE PERFETTO VIEW android_winscope_trace_rect(
  -- Row number.
  id LONG,
  -- Rectangle.
  rect_id LONG,
  -- Number of the display or group.
  group_id LONG,
  -- Order from back to front.
  depth LONG,
  -- 1 for a window that only watches input.
  is_spy LONG,
  -- 1 if it is visible.
  is_visible LONG,
  -- Opacity, 0 to 1.
  opacity DOUBLE,
  -- Transformation.
  transform_id LONG,
  -- Width of the border.
  border_width LONG,
  -- Color of the border.
  border_color DOUBLE
) AS
SELECT
  id, rect_id, group_id, depth, is_spy, is_visible, opacity, transform_id, border_width,
  border_color
FROM __intrinsic_winscope_trace_rect;
