-- Scrolls of Chrome.

INCLUDE PERFETTO MODULE chrome.event_latency;

-- Scrolls: from the begin of the gesture to its end.
CREATE PERFETTO TABLE chrome_scrolls(
  -- Number of the scroll.
  id LONG,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns; NULL if the trace ends before.
  dur DURATION,
  -- Time of GestureScrollBegin, ns; NULL if the trace begins after it.
  gesture_scroll_begin_ts TIMESTAMP,
  -- Time of GestureScrollEnd, ns; NULL if the trace ends before.
  gesture_scroll_end_ts TIMESTAMP
) AS
WITH event AS (
  SELECT
    coalesce(
      extract_arg(s.arg_set_id, 'event_latency.gesture_scroll_id'),
      extract_arg(s.arg_set_id, 'chrome_latency_info.gesture_scroll_id')
    ) AS id,
    s.ts, iif(s.dur < 0, trace_end(), s.ts + s.dur) AS end_ts,
    coalesce(
      extract_arg(s.arg_set_id, 'event_latency.event_type'),
      upper(regexp_replace_simple(substr(s.name, 15), '([a-z])([A-Z])', '\1_\2'))
    ) AS event_type
  FROM slice AS s
  WHERE s.name IN (
    'EventLatency', 'InputLatency::GestureScrollBegin', 'InputLatency::GestureScrollUpdate',
    'InputLatency::GestureScrollEnd'
  )
),
scroll AS (
  SELECT
    id, min(ts) AS first_ts, max(end_ts) AS last_ts,
    min(iif(event_type = 'GESTURE_SCROLL_BEGIN', ts, NULL)) AS begin_ts,
    max(iif(event_type = 'GESTURE_SCROLL_END', ts, NULL)) AS end_ts
  FROM event
  WHERE id IS NOT NULL AND event_type GLOB '*GESTURE_SCROLL*'
  GROUP BY id
)
SELECT
  id, coalesce(begin_ts, first_ts) AS ts,
  coalesce(end_ts, last_ts) - coalesce(begin_ts, first_ts) AS dur,
  begin_ts AS gesture_scroll_begin_ts, end_ts AS gesture_scroll_end_ts
FROM scroll
ORDER BY ts;

-- Events that belong to one update of a scroll: the update, the touch that caused it, and the frame
-- that shows it.
CREATE PERFETTO TABLE chrome_scroll_update_refs(
  -- Latency slice of the update.
  scroll_update_latency_id LONG,
  -- Latency slice of the touch.
  touch_move_latency_id LONG,
  -- Latency slice of the presentation.
  presentation_latency_id LONG,
  -- Frame of the page.
  surface_frame_id LONG,
  -- Frame of the display.
  display_trace_id LONG
) AS
SELECT
  e.scroll_update_id AS scroll_update_latency_id,
  (
    SELECT f.slice_out
    FROM flow AS f
    JOIN slice AS touch ON touch.id = f.slice_out
    WHERE f.slice_in = e.id
    ORDER BY f.id
    LIMIT 1
  ) AS touch_move_latency_id,
  iif(e.is_presented, e.id, NULL) AS presentation_latency_id,
  e.surface_frame_trace_id AS surface_frame_id, e.display_trace_id
FROM chrome_event_latencies AS e
WHERE e.event_type GLOB '*GESTURE_SCROLL_UPDATE'
ORDER BY e.ts;
