-- Tracks of track events, grouped and ordered as a viewer shows them.

INCLUDE PERFETTO MODULE viz.summary.counters;
INCLUDE PERFETTO MODULE viz.summary.slices;
INCLUDE PERFETTO MODULE viz.track_event_callstacks;

-- Tracks of track events with the properties that decide their place.
CREATE PERFETTO TABLE _track_event_tracks_unordered AS
SELECT
  t.id, t.name, t.parent_id, t.track_group_id, t.event_type, t.utid, t.upid,
  t.counter_unit AS unit,
  extract_arg(t.source_arg_set_id, 'description') AS description,
  extract_arg(t.source_arg_set_id, 'builtin_counter_type') AS builtin_counter_type,
  extract_arg(t.source_arg_set_id, 'y_axis_share_key') AS y_axis_share_key,
  extract_arg(t.source_arg_set_id, 'child_ordering') AS ordering,
  extract_arg(t.source_arg_set_id, 'sibling_order_rank') AS sibling_rank,
  s.id IS NOT NULL OR c.id IS NOT NULL OR st.track_id IS NOT NULL AS has_data,
  calls.track_id IS NOT NULL AS has_callstacks
FROM __intrinsic_track AS t
LEFT JOIN _slice_track_summary AS s ON s.id = t.id
LEFT JOIN _counter_track_summary AS c ON c.id = t.id
LEFT JOIN (SELECT DISTINCT track_id FROM state) AS st ON st.track_id = t.id
LEFT JOIN _track_event_tracks_with_callstacks AS calls ON calls.track_id = t.id
WHERE t.type GLOB '*_track_event'
ORDER BY t.id;

-- Time of the first event of each track: id, min_ts.
CREATE PERFETTO TABLE _min_ts_per_track AS
SELECT id, min(ts) AS min_ts
FROM (
  SELECT track_id AS id, min(ts) AS ts FROM slice GROUP BY track_id
  UNION ALL
  SELECT track_id, min(ts) FROM counter GROUP BY track_id
  UNION ALL
  SELECT track_id, min(ts) FROM state GROUP BY track_id
)
GROUP BY id
ORDER BY id;

-- Tracks that have children: id.
CREATE PERFETTO TABLE _track_event_has_children AS
SELECT DISTINCT parent_id AS id
FROM _track_event_tracks_unordered
WHERE parent_id IS NOT NULL
ORDER BY parent_id;

-- Groups of tracks that a viewer shows as one, in the order in which it shows them: upid, utid,
-- parent_id, is_counter, is_state, name, description, unit, builtin_counter_type, y_axis_share_key,
-- has_data, has_children, has_callstacks, min_track_id, track_ids (separated by commas), order_id
-- (from 0 below one parent).
CREATE PERFETTO TABLE _track_event_tracks_ordered_groups AS
WITH grouped AS (
  SELECT
    t.upid, t.utid, t.parent_id, t.event_type = 'counter' AS is_counter,
    t.event_type = 'state' AS is_state, t.name, max(t.description) AS description,
    max(t.unit) AS unit, max(t.builtin_counter_type) AS builtin_counter_type,
    max(t.y_axis_share_key) AS y_axis_share_key, max(t.has_data) AS has_data,
    max(children.id IS NOT NULL) AS has_children, max(t.has_callstacks) AS has_callstacks,
    min(t.id) AS min_track_id, group_concat(t.id, ',') AS track_ids,
    max(t.sibling_rank) AS sibling_rank, min(m.min_ts) AS min_ts
  FROM _track_event_tracks_unordered AS t
  LEFT JOIN _track_event_has_children AS children ON children.id = t.id
  LEFT JOIN _min_ts_per_track AS m ON m.id = t.id
  GROUP BY t.track_group_id, iif(t.track_group_id IS NULL, t.id, NULL)
),
ordered AS (
  SELECT
    g.*,
    row_number() OVER (
      PARTITION BY g.parent_id, g.upid, g.utid
      ORDER BY
        iif(parent.ordering = 'explicit', coalesce(g.sibling_rank, 0), 0),
        iif(parent.ordering = 'chronological', g.min_ts, 0),
        g.name, g.min_track_id
    ) - 1 AS order_id
  FROM grouped AS g
  LEFT JOIN _track_event_tracks_unordered AS parent ON parent.id = g.parent_id
)
SELECT
  upid, utid, parent_id, is_counter, is_state, name, description, unit, builtin_counter_type,
  y_axis_share_key, has_data, has_children, has_callstacks, min_track_id, track_ids, order_id
FROM ordered
ORDER BY parent_id, order_id;
