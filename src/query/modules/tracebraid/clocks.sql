-- Which of two events was first, and whether that is certain.
--
-- Times of two machines can each be wrong by the uncertainty of their placement. The order of two
-- events is certain if they are further apart than both uncertainties together, or if the clocks of
-- both are the same.

-- Largest uncertainty of the times of each machine: machine_id, uncertainty_ns (NULL: not bounded).
CREATE PERFETTO TABLE _machine_uncertainty AS
SELECT
  coalesce(machine_id, (SELECT min(id) FROM machine)) AS machine_id,
  iif(count(*) = count(uncertainty_ns), max(uncertainty_ns), NULL) AS uncertainty_ns
FROM placement
WHERE rule != 'without_time' AND placed > 0
GROUP BY 1;

-- Machine of each track: track_id, machine_id.
CREATE PERFETTO TABLE _track_machine AS
SELECT
  t.id AS track_id,
  coalesce(t.machine_id, th.machine_id, p.machine_id, (SELECT min(id) FROM machine)) AS machine_id
FROM __intrinsic_track AS t
LEFT JOIN thread AS th ON th.utid = t.utid
LEFT JOIN process AS p ON p.upid = t.upid
ORDER BY t.id;

-- Largest error of the distance of two times of two machines.
CREATE PERFETTO FUNCTION tracebraid_machine_uncertainty(
  -- Machine of the first time.
  machine_a LONG,
  -- Machine of the second time.
  machine_b LONG
)
-- Error, ns; 0 within one machine; NULL if it is not bounded.
RETURNS LONG AS
SELECT iif(
  $machine_a = $machine_b,
  0,
  (SELECT uncertainty_ns FROM _machine_uncertainty WHERE machine_id = $machine_a)
  + (SELECT uncertainty_ns FROM _machine_uncertainty WHERE machine_id = $machine_b)
);

-- Which of two times is earlier.
CREATE PERFETTO FUNCTION tracebraid_event_order(
  -- First time, ns.
  ts_a TIMESTAMP,
  -- Machine of the first time.
  machine_a LONG,
  -- Second time, ns.
  ts_b TIMESTAMP,
  -- Machine of the second time.
  machine_b LONG
)
-- before if the first is certainly earlier, after if it is certainly later, same for equal times of
-- one machine, else undecided.
RETURNS STRING AS
SELECT CASE
  WHEN $ts_a IS NULL OR $ts_b IS NULL THEN NULL
  WHEN $machine_a = $machine_b AND $ts_a = $ts_b THEN 'same'
  WHEN $ts_b - $ts_a > tracebraid_machine_uncertainty($machine_a, $machine_b) THEN 'before'
  WHEN $ts_a - $ts_b > tracebraid_machine_uncertainty($machine_a, $machine_b) THEN 'after'
  ELSE 'undecided'
END;

-- Which of two slices began first; one row, or none if one of them does not exist. The verdict is
-- that of event_order(): by one clock, by a flow between the two, or by the bound of the best path
-- between their clocks, which may be far smaller than that of both machines.
CREATE PERFETTO FUNCTION tracebraid_slice_order(
  -- First slice.
  slice_a JOINID(slice.id),
  -- Second slice.
  slice_b JOINID(slice.id)
)
RETURNS TABLE(
  -- Start of the second minus start of the first, ns; NULL if nothing relates their clocks.
  gap_ns LONG,
  -- Largest error of gap_ns, ns; NULL if it is not bounded.
  uncertainty_ns LONG,
  -- before, after, same, or undecided, also if the order is not known.
  verdict STRING
) AS
SELECT
  json_extract(found, '$.gap_ns') AS gap_ns,
  json_extract(found, '$.bound_ns') AS uncertainty_ns,
  iif(
    json_extract(found, '$.order') = 'not_known',
    'undecided',
    json_extract(found, '$.order')
  ) AS verdict
FROM (SELECT event_order('slice', $slice_a, 'slice', $slice_b) AS found)
WHERE found IS NOT NULL;
