-- Starts of Chrome on Android.

-- Starts of activities: id (slice), ts, activity_id, browser_upid.
CREATE PERFETTO VIEW _startup_start_events AS
SELECT
  s.id, s.ts, extract_arg(s.arg_set_id, 'startup.activity_id') AS activity_id,
  t.upid AS browser_upid
FROM slice AS s
JOIN thread_track AS track ON track.id = s.track_id
JOIN thread AS t USING (utid)
WHERE s.name = 'Startup.ActivityStart';

-- Why activities were started: activity_id, launch_cause, browser_upid.
CREATE PERFETTO VIEW _launch_causes AS
SELECT
  extract_arg(s.arg_set_id, 'startup.activity_id') AS activity_id,
  extract_arg(s.arg_set_id, 'startup.launch_cause') AS launch_cause, t.upid AS browser_upid
FROM slice AS s
JOIN thread_track AS track ON track.id = s.track_id
JOIN thread AS t USING (utid)
WHERE s.name = 'Startup.LaunchCause';

-- Starts of the browser: those of an activity, and those that are known by their first visible
-- content only.
CREATE PERFETTO TABLE chrome_startups(
  -- Number of the start in the trace, from 1.
  id LONG,
  -- Number of the activity in its browser.
  activity_id LONG,
  -- Name of the slice that the start is known by.
  name STRING,
  -- Start, ns.
  startup_begin_ts TIMESTAMP,
  -- Time of the first visible content, ns; NULL if not known.
  first_visible_content_ts TIMESTAMP,
  -- Why the browser was started, such as an icon or a link.
  launch_cause STRING,
  -- Process of the browser.
  browser_upid LONG
) AS
WITH
  visible AS (
    SELECT
      s.name, s.ts, s.ts + s.dur AS end_ts,
      extract_arg(s.arg_set_id, 'startup.activity_id') AS activity_id, track.upid AS browser_upid
    FROM slice AS s
    JOIN process_track AS track ON track.id = s.track_id
    WHERE s.name GLOB 'Startup.*TimeToFirstVisibleContent*' AND s.dur >= 0
  ),
  start AS (
    SELECT
      v.activity_id, v.name, v.ts AS startup_begin_ts, v.end_ts AS first_visible_content_ts,
      v.browser_upid
    FROM visible AS v
    UNION ALL
    SELECT e.activity_id, 'Startup.ActivityStart', e.ts, NULL, e.browser_upid
    FROM _startup_start_events AS e
    WHERE NOT EXISTS (
      SELECT 1 FROM visible AS v
      WHERE v.browser_upid = e.browser_upid AND v.activity_id IS e.activity_id
    )
  )
SELECT
  row_number() OVER (ORDER BY s.startup_begin_ts, s.browser_upid) AS id,
  s.activity_id, s.name, s.startup_begin_ts, s.first_visible_content_ts,
  (
    SELECT c.launch_cause
    FROM _launch_causes AS c
    WHERE c.activity_id = s.activity_id AND c.browser_upid = s.browser_upid
    LIMIT 1
  ) AS launch_cause,
  s.browser_upid
FROM start AS s
ORDER BY id;
