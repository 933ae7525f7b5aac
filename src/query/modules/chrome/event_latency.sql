-- Latencies of Chrome's input events, from the input to the frame that shows its effect.

-- Start of the first slice with a name below a slice.
CREATE PERFETTO FUNCTION _descendant_slice_begin(
  -- Slice.
  parent_id LONG,
  -- Name of the slice below.
  child_name STRING
)
-- ns; NULL if there is none.
RETURNS LONG AS
SELECT ts FROM descendant_slice($parent_id) WHERE name = $child_name ORDER BY ts LIMIT 1;

-- End of the first slice with a name below a slice.
CREATE PERFETTO FUNCTION _descendant_slice_end(
  -- Slice.
  parent_id LONG,
  -- Name of the slice below.
  child_name STRING
)
-- ns; NULL if there is none, or if it is open.
RETURNS LONG AS
SELECT iif(dur = -1, NULL, ts + dur)
FROM descendant_slice($parent_id)
WHERE name = $child_name
ORDER BY ts
LIMIT 1;

-- Whether a slice with a name is below a slice.
CREATE PERFETTO FUNCTION _has_descendant_slice_with_name(
  -- Slice.
  id LONG,
  -- Name of the slice below.
  descendant_name STRING
)
-- 1 or 0.
RETURNS BOOL AS
SELECT EXISTS(SELECT 1 FROM descendant_slice($id) WHERE name = $descendant_name);

-- Time at which the frame of an event was presented.
CREATE PERFETTO FUNCTION _get_presentation_timestamp(
  -- Slice EventLatency.
  id LONG
)
-- ns; NULL if the frame was not presented.
RETURNS LONG AS
SELECT max(ts + dur)
FROM descendant_slice($id)
WHERE name GLOB '*ToPresentation*' AND dur >= 0;

-- Events with the stages of their frames.
CREATE PERFETTO TABLE chrome_event_latencies(
  -- Slice.
  id LONG,
  -- Name of the slice.
  name STRING,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Number of the scroll update, which its stages in other threads have, too.
  scroll_update_id LONG,
  -- Number of the frame that the renderer submitted.
  surface_frame_trace_id LONG,
  -- Number of the frame that the display showed.
  display_trace_id LONG,
  -- 1 if the effect of the event was presented.
  is_presented BOOL,
  -- Kind of the event: MOUSE_DRAGGED, GESTURE_SCROLL_UPDATE ...
  event_type STRING,
  -- Track of the slice.
  track_id LONG,
  -- Time between frames of the display, ms.
  vsync_interval_ms DOUBLE,
  -- 1 if Chrome counted the frame as janky.
  is_janky_scrolled_frame BOOL,
  -- Time at which the buffer of the frame was available, ns.
  buffer_available_timestamp LONG,
  -- Time at which the buffer was ready, ns.
  buffer_ready_timestamp LONG,
  -- Time at which the display took the buffer, ns.
  latch_timestamp LONG,
  -- Time at which the buffers were swapped, ns.
  swap_end_timestamp LONG,
  -- Time at which the frame was visible, ns.
  presentation_timestamp LONG
) AS
WITH
  latency AS MATERIALIZED (
    SELECT id, name, ts, dur, arg_set_id, track_id FROM slice WHERE name = 'EventLatency'
  ),
  -- The stages of all events at once.
  stage AS MATERIALIZED (
    SELECT
      l.id,
      min(iif(d.name = 'BufferAvailableToBufferReady', d.ts, NULL)) AS buffer_available_timestamp,
      min(iif(d.name = 'BufferReadyToLatch', d.ts, NULL)) AS buffer_ready_timestamp,
      min(iif(d.name = 'LatchToSwapEnd', d.ts, NULL)) AS latch_timestamp,
      min(iif(d.name = 'SwapEndToPresentationCompositorFrame', d.ts, NULL)) AS swap_end_timestamp,
      max(iif(d.name GLOB '*ToPresentation*' AND d.dur >= 0, d.ts + d.dur, NULL))
        AS presentation_timestamp
    FROM latency AS l
    JOIN descendant_slice(l.id) AS d
    GROUP BY l.id
  )
SELECT
  l.id, l.name, l.ts, l.dur,
  extract_arg(l.arg_set_id, 'event_latency.event_latency_id') AS scroll_update_id,
  extract_arg(l.arg_set_id, 'event_latency.surface_frame_trace_id') AS surface_frame_trace_id,
  extract_arg(l.arg_set_id, 'event_latency.display_trace_id') AS display_trace_id,
  s.presentation_timestamp IS NOT NULL AS is_presented,
  extract_arg(l.arg_set_id, 'event_latency.event_type') AS event_type, l.track_id,
  cast_double!(extract_arg(l.arg_set_id, 'event_latency.vsync_interval_ms')) AS vsync_interval_ms,
  coalesce(extract_arg(l.arg_set_id, 'event_latency.is_janky_scrolled_frame'), 0)
    AS is_janky_scrolled_frame,
  s.buffer_available_timestamp, s.buffer_ready_timestamp, s.latch_timestamp, s.swap_end_timestamp,
  s.presentation_timestamp
FROM latency AS l
LEFT JOIN stage AS s USING (id)
ORDER BY l.id;

-- Updates of scrolls by touch: the events of chrome_event_latencies that move content, with the
-- scroll that they belong to.
CREATE PERFETTO TABLE chrome_gesture_scroll_updates(
  -- Slice.
  id LONG,
  -- Name of the slice.
  name STRING,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Number of the scroll update.
  scroll_update_id LONG,
  -- 1 if the effect of the event was presented.
  is_presented BOOL,
  -- Kind of the event.
  event_type STRING,
  -- Track of the slice.
  track_id LONG,
  -- Time between frames of the display, ms.
  vsync_interval_ms DOUBLE,
  -- 1 if Chrome counted the frame as janky.
  is_janky BOOL,
  -- Time at which the buffer of the frame was available, ns.
  buffer_available_timestamp LONG,
  -- Time at which the buffer was ready, ns.
  buffer_ready_timestamp LONG,
  -- Time at which the display took the buffer, ns.
  latch_timestamp LONG,
  -- Time at which the buffers were swapped, ns.
  swap_end_timestamp LONG,
  -- Time at which the frame was visible, ns.
  presentation_timestamp LONG,
  -- Scroll: the slice of the event that began it; NULL if that is not in the trace.
  scroll_id LONG
) AS
WITH
  begin AS MATERIALIZED (
    SELECT id, ts FROM chrome_event_latencies WHERE event_type = 'GESTURE_SCROLL_BEGIN'
  )
SELECT
  e.id, e.name, e.ts, e.dur, e.scroll_update_id, e.is_presented, e.event_type, e.track_id,
  e.vsync_interval_ms, e.is_janky_scrolled_frame AS is_janky, e.buffer_available_timestamp,
  e.buffer_ready_timestamp, e.latch_timestamp, e.swap_end_timestamp, e.presentation_timestamp,
  (SELECT b.id FROM begin AS b WHERE b.ts <= e.ts ORDER BY b.ts DESC LIMIT 1) AS scroll_id
FROM chrome_event_latencies AS e
WHERE e.event_type IN (
  'GESTURE_SCROLL_UPDATE', 'FIRST_GESTURE_SCROLL_UPDATE', 'INERTIAL_GESTURE_SCROLL_UPDATE'
)
ORDER BY e.id;
