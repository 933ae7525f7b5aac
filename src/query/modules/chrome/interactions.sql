-- All interactions of users with Chrome: starts, page loads, interactions with pages.

INCLUDE PERFETTO MODULE chrome.page_loads;
INCLUDE PERFETTO MODULE chrome.startups;
INCLUDE PERFETTO MODULE chrome.web_content_interactions;

-- Interactions of all kinds.
CREATE PERFETTO VIEW chrome_interactions(
  -- Number in the table of its kind.
  scoped_id LONG,
  -- PageLoad, Startup or InteractionWithPage.
  type STRING,
  -- Kind of the kind: cause of the start, type of the interaction, address of the page.
  name STRING,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION
) AS
SELECT
  id AS scoped_id, 'PageLoad' AS type, url AS name, navigation_start_ts AS ts,
  coalesce(lcp, fcp) AS dur
FROM chrome_page_loads
UNION ALL
SELECT
  id, 'Startup', coalesce(launch_cause, name), startup_begin_ts,
  first_visible_content_ts - startup_begin_ts
FROM chrome_startups
UNION ALL
SELECT id, 'InteractionWithPage', interaction_type, ts, dur
FROM chrome_web_content_interactions;
