-- Interactions of users with pages: clicks, taps, drags and keys.

-- Interactions, each with the longest of its events.
CREATE PERFETTO TABLE chrome_web_content_interactions(
  -- Slice of the interaction.
  id LONG,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- CLICK, TAP, DRAG or KEYBOARD ...
  interaction_type STRING,
  -- Sum of the durations of its events, ms.
  total_duration_ms LONG,
  -- Process that draws the page.
  renderer_upid LONG
) AS
SELECT
  s.id, s.ts, s.dur,
  extract_arg(s.arg_set_id, 'web_content_interaction.type') AS interaction_type,
  extract_arg(s.arg_set_id, 'web_content_interaction.total_duration_ms') AS total_duration_ms,
  t.upid AS renderer_upid
FROM slice AS s
JOIN process_track AS t ON t.id = s.track_id
WHERE s.name = 'Web Interaction'
ORDER BY s.ts;
