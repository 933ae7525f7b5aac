-- Page loads of Chrome: navigations with the times of their paints, events and marks.

-- Times from the start of a navigation to an event of its page.
CREATE PERFETTO FUNCTION _page_load_metrics(
  -- Name of the slice without the prefix PageLoadMetrics.
  event_name STRING
)
RETURNS TABLE(
  -- Start of the navigation, ns.
  ts TIMESTAMP,
  -- Time until the event, ns.
  dur DURATION,
  -- Number of the navigation in its browser.
  navigation_id LONG,
  -- Process of the browser.
  browser_upid LONG
) AS
SELECT
  s.ts, s.dur, extract_arg(s.arg_set_id, 'page_load.navigation_id') AS navigation_id,
  track.upid AS browser_upid
FROM slice AS s
JOIN process_track AS track ON track.id = s.track_id
WHERE s.name = 'PageLoadMetrics.' || $event_name;

-- First contentful paints of the main frames: id (slice), navigation_id, navigation_start_ts, fcp,
-- url, browser_upid.
CREATE PERFETTO VIEW _fcp_metrics AS
SELECT
  s.id, extract_arg(s.arg_set_id, 'page_load.navigation_id') AS navigation_id,
  s.ts AS navigation_start_ts, s.dur AS fcp, extract_arg(s.arg_set_id, 'page_load.url') AS url,
  track.upid AS browser_upid
FROM slice AS s
JOIN process_track AS track ON track.id = s.track_id
WHERE s.name = 'PageLoadMetrics.NavigationToFirstContentfulPaint';

-- Navigations that painted something. A time that the trace does not have is NULL.
CREATE PERFETTO TABLE chrome_page_loads(
  -- Slice of the first contentful paint.
  id LONG,
  -- Number of the navigation in its browser.
  navigation_id LONG,
  -- Start of the navigation, ns.
  navigation_start_ts TIMESTAMP,
  -- Time until the first contentful paint, ns.
  fcp LONG,
  -- Time of the first contentful paint, ns.
  fcp_ts TIMESTAMP,
  -- Time until the largest contentful paint, ns.
  lcp LONG,
  -- Time of the largest contentful paint, ns.
  lcp_ts TIMESTAMP,
  -- Time of the event DOMContentLoaded, ns.
  dom_content_loaded_event_ts TIMESTAMP,
  -- Time of the event load, ns.
  load_event_ts TIMESTAMP,
  -- Time of the page's mark "mark_fully_loaded", ns.
  mark_fully_loaded_ts TIMESTAMP,
  -- Time of the page's mark "mark_fully_visible", ns.
  mark_fully_visible_ts TIMESTAMP,
  -- Time of the page's mark "mark_interactive", ns.
  mark_interactive_ts TIMESTAMP,
  -- Address of the page.
  url STRING,
  -- Process of the browser.
  browser_upid LONG
) AS
WITH event AS MATERIALIZED (
  SELECT
    substr(s.name, length('PageLoadMetrics.') + 1) AS name,
    extract_arg(s.arg_set_id, 'page_load.navigation_id') AS navigation_id, track.upid,
    max(s.dur) AS dur, max(s.ts + s.dur) AS end_ts
  FROM slice AS s
  JOIN process_track AS track ON track.id = s.track_id
  WHERE s.name GLOB 'PageLoadMetrics.*'
  GROUP BY s.name, navigation_id, track.upid
)
SELECT
  f.id, f.navigation_id, f.navigation_start_ts, f.fcp, f.navigation_start_ts + f.fcp AS fcp_ts,
  max(iif(e.name = 'NavigationToLargestContentfulPaint', e.dur, NULL)) AS lcp,
  max(iif(e.name = 'NavigationToLargestContentfulPaint', e.end_ts, NULL)) AS lcp_ts,
  max(iif(e.name = 'NavigationToDOMContentLoadedEventFired', e.end_ts, NULL))
    AS dom_content_loaded_event_ts,
  max(iif(e.name = 'NavigationToMainFrameOnLoad', e.end_ts, NULL)) AS load_event_ts,
  max(iif(e.name = 'UserTimingMarkFullyLoaded', e.end_ts, NULL)) AS mark_fully_loaded_ts,
  max(iif(e.name = 'UserTimingMarkFullyVisible', e.end_ts, NULL)) AS mark_fully_visible_ts,
  max(iif(e.name = 'UserTimingMarkInteractive', e.end_ts, NULL)) AS mark_interactive_ts,
  f.url, f.browser_upid
FROM _fcp_metrics AS f
LEFT JOIN event AS e ON e.navigation_id = f.navigation_id AND e.upid = f.browser_upid
GROUP BY f.id
ORDER BY f.navigation_start_ts;
