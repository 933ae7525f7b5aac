-- Slices as a viewer lists them.

INCLUDE PERFETTO MODULE graphs.hierarchy;
INCLUDE PERFETTO MODULE slices.self_dur;

-- Slices with thread, process and duration without children: id, ts, dur, self_dur, category, name,
-- track_id, track_name, utid, thread_name, upid, process_name, depth, parent_id, arg_set_id.
CREATE PERFETTO VIEW _viz_slices_for_ui_table AS
SELECT
  s.id, s.ts, s.dur, d.self_dur, s.category, s.name, s.track_id, track.name AS track_name, t.utid,
  t.name AS thread_name, p.upid, p.name AS process_name, s.depth, s.parent_id, s.arg_set_id
FROM slice AS s
JOIN track ON s.track_id = track.id
LEFT JOIN slice_self_dur AS d ON d.id = s.id
LEFT JOIN thread_track AS tt ON tt.id = s.track_id
LEFT JOIN thread AS t ON t.utid = tt.utid
LEFT JOIN process_track AS pt ON pt.id = s.track_id
LEFT JOIN process AS p ON p.upid = coalesce(t.upid, pt.upid);

-- Slices of a table and all their ancestors, with the durations of the selected ones.
CREATE PERFETTO MACRO _viz_slice_ancestor_agg(
  -- Table with column id: selected slices.
  inits TableOrSubquery,
  -- Table with columns id, parent_id, name, dur, self_dur.
  nodes TableOrSubquery
)
-- Rows id, parent_id, name, self_dur, self_count: self_* are 0 for slices that were not selected.
RETURNS TableOrSubquery AS
(
  WITH
    _vsa_init AS MATERIALIZED (SELECT DISTINCT id FROM $inits),
    _vsa_node AS MATERIALIZED (SELECT id, parent_id, name, dur, self_dur FROM $nodes)
  SELECT
    n.id, n.parent_id, n.name, iif(i.id IS NULL, 0, n.self_dur) AS self_dur,
    iif(i.id IS NULL, 0, 1) AS self_count
  FROM _tree_reachable_ancestors_or_self!(
    (SELECT id, parent_id FROM _vsa_node), (SELECT id FROM _vsa_init)
  ) AS a
  JOIN _vsa_node AS n ON n.id = a.id
  LEFT JOIN _vsa_init AS i ON i.id = a.id
);
