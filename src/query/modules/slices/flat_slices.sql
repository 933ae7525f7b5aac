-- Slices of threads without overlap: at each moment the innermost slice.

INCLUDE PERFETTO MODULE slices.with_context;

-- Closed slices of threads with the outermost slice that contains them: the last outermost slice
-- that began on the track, because slices of a track are nested. Slices below an open one are left
-- out.
CREATE PERFETTO TABLE _slice_with_root AS
WITH rooted AS (
  SELECT
    id, ts, dur, parent_id,
    max(iif(parent_id IS NULL, id, NULL)) OVER (PARTITION BY track_id ORDER BY id) AS root_id
  FROM thread_slice
)
SELECT r.id, r.ts, r.dur, r.parent_id, r.root_id
FROM rooted AS r
JOIN slice AS root ON root.id = r.root_id
WHERE r.dur > 0 AND root.dur > 0
ORDER BY r.id;

-- Pieces of slices in which no child of the slice ran: slice_id, ts, dur, depth, name, root_id,
-- track_id, utid, tid, thread_name, upid, pid, process_name.
CREATE PERFETTO TABLE _slice_flattened AS
WITH child AS (
  SELECT
    parent_id, ts, max(ts + dur) OVER (PARTITION BY parent_id ORDER BY ts, id) AS end_ts,
    lag(ts + dur) OVER (PARTITION BY parent_id ORDER BY ts, id) AS previous_end
  FROM _slice_with_root
  WHERE parent_id IS NOT NULL
),
-- The time before each child, and the time after the last child.
piece AS (
  SELECT parent.id, parent.root_id, coalesce(child.previous_end, parent.ts) AS ts, child.ts AS end_ts
  FROM child
  JOIN _slice_with_root AS parent ON parent.id = child.parent_id
  UNION ALL
  SELECT s.id, s.root_id, coalesce(last_child.end_ts, s.ts), s.ts + s.dur
  FROM _slice_with_root AS s
  LEFT JOIN (SELECT parent_id, max(end_ts) AS end_ts FROM child GROUP BY parent_id) AS last_child
    ON last_child.parent_id = s.id
)
SELECT
  s.id AS slice_id, piece.ts, piece.end_ts - piece.ts AS dur, s.depth, s.name, piece.root_id,
  s.track_id, s.utid, s.tid, s.thread_name, s.upid, s.pid, s.process_name
FROM piece
JOIN thread_slice AS s USING (id)
WHERE piece.end_ts > piece.ts
ORDER BY piece.ts, s.id;
