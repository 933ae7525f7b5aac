-- Rectangles of windows and layers.

-- Rectangles: left and upper edge, width and height, pixels.
CREATE PERFETTO VIEW android_winscope_rect(
  -- Row number.
  id LONG,
  -- Left edge.
  x DOUBLE,
  -- Top edge.
  y DOUBLE,
  -- Width, pixels.
  w DOUBLE,
  -- Height, pixels.
  h DOUBLE
) AS
SELECT id, x, y, w, h
FROM __intrinsic_winscope_rect;

-- Transforms of rectangles.
CREATE PERFETTO VIEW android_winscope_transform(
  -- Row number.
  id LONG,
  -- Factor of x for x.
  dsdx DOUBLE,
  -- Factor of x for y.
  dtdx DOUBLE,
  -- Shift of x.
  tx DOUBLE,
  -- Factor of y for x.
  dtdy DOUBLE,
  -- Factor of y for y.
  dsdy DOUBLE,
  -- Shift of y.
  ty DOUBLE
) AS
SELECT id, dsdx, dtdx, tx, dtdy, dsdy, ty
FROM __intrinsic_winscope_transform;

-- Rectangles as they are shown.
CREATE PERFETTO VIEW android_winscope_trace_rect(
  -- Row number.
  id LONG,
  -- Row of android_winscope_rect.
  rect_id LONG,
  -- Group of rectangles that are shown together.
  group_id LONG,
  -- Depth in the group.
  depth LONG,
  -- 1 if the window only watches input.
  is_spy LONG,
  -- 1 if it is visible.
  is_visible LONG,
  -- Opacity, 0 to 1.
  opacity DOUBLE,
  -- Row of android_winscope_transform.
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
