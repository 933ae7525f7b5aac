-- Latencies between machines: flows, and spans of distributed traces.

INCLUDE PERFETTO MODULE tracebraid.clocks;

-- Verdict on a latency: whether the later event is certainly later.
CREATE PERFETTO MACRO _latency_verdict(
  -- Latency, ns.
  latency Expr,
  -- Largest error of the latency, ns; NULL if it is not bounded.
  uncertainty Expr
)
-- Expression that gives certain, undecided or impossible.
RETURNS Expr AS
CASE
  WHEN $latency > $uncertainty THEN 'certain'
  WHEN -($latency) > $uncertainty THEN 'impossible'
  ELSE 'undecided'
END;

-- Flows between machines, with their latency: from the start of the slice that the flow leaves to
-- the start of the slice that it enters.
CREATE PERFETTO VIEW tracebraid_flow_latency(
  -- Flow.
  flow_id JOINID(flow.id),
  -- Slice that the flow leaves.
  slice_out JOINID(slice.id),
  -- Slice that the flow enters.
  slice_in JOINID(slice.id),
  -- Name of the slice that the flow leaves.
  name_out STRING,
  -- Name of the slice that the flow enters.
  name_in STRING,
  -- Machine that the flow leaves.
  machine_out JOINID(machine.id),
  -- Machine that the flow enters.
  machine_in JOINID(machine.id),
  -- Start of the slice that the flow leaves, ns.
  ts_out TIMESTAMP,
  -- Start of the slice that the flow enters, ns.
  ts_in TIMESTAMP,
  -- Latency, ns.
  latency_ns LONG,
  -- Largest error of the latency, ns; NULL if it is not bounded.
  uncertainty_ns LONG,
  -- certain if the latency is larger than its error, impossible if it is negative by more than
  -- that, else undecided.
  verdict STRING
) AS
WITH pair AS (
  SELECT
    f.id AS flow_id, f.slice_out, f.slice_in, a.name AS name_out, b.name AS name_in,
    ma.machine_id AS machine_out, mb.machine_id AS machine_in, a.ts AS ts_out, b.ts AS ts_in,
    b.ts - a.ts AS latency_ns,
    ua.uncertainty_ns + ub.uncertainty_ns AS uncertainty_ns
  FROM flow AS f
  JOIN slice AS a ON a.id = f.slice_out
  JOIN slice AS b ON b.id = f.slice_in
  JOIN _track_machine AS ma ON ma.track_id = a.track_id
  JOIN _track_machine AS mb ON mb.track_id = b.track_id
  LEFT JOIN _machine_uncertainty AS ua ON ua.machine_id = ma.machine_id
  LEFT JOIN _machine_uncertainty AS ub ON ub.machine_id = mb.machine_id
  WHERE ma.machine_id != mb.machine_id
)
SELECT *, _latency_verdict!(latency_ns, uncertainty_ns) AS verdict FROM pair;

-- Ids of spans in args, in any of their spellings: arg_set_id, span_id, parent_span_id.
CREATE PERFETTO TABLE _span_ids AS
WITH arg AS (
  SELECT
    arg_set_id,
    lower(replace(replace(replace(
      CASE
        WHEN key GLOB 'args.*' THEN substr(key, 6)
        WHEN key GLOB 'debug.*' THEN substr(key, 7)
        ELSE key
      END,
      '_', ''), '-', ''), '.', '')) AS name,
    string_value AS value
  FROM args
  WHERE string_value IS NOT NULL
)
SELECT
  arg_set_id,
  max(iif(name = 'spanid', value, NULL)) AS span_id,
  max(iif(name IN ('parentspanid', 'parentid'), value, NULL)) AS parent_span_id
FROM arg
WHERE name IN ('spanid', 'parentspanid', 'parentid') AND value GLOB '*[1-9a-fA-F]*'
GROUP BY arg_set_id;

-- Spans of distributed traces whose parent is on another machine. Request and response together are
-- the time that the parent spent outside of the child; their sum is exact, how it divides has the
-- error of the clocks.
CREATE PERFETTO TABLE tracebraid_span_latency(
  -- Slice of the parent (client).
  parent_slice JOINID(slice.id),
  -- Slice of the child (server).
  child_slice JOINID(slice.id),
  -- Name of the parent.
  parent_name STRING,
  -- Name of the child.
  child_name STRING,
  -- Machine of the parent.
  parent_machine JOINID(machine.id),
  -- Machine of the child.
  child_machine JOINID(machine.id),
  -- Start of the child minus start of the parent, ns.
  request_ns LONG,
  -- End of the parent minus end of the child, ns; NULL if one is open.
  response_ns LONG,
  -- Largest error of request_ns and response_ns, ns; NULL if it is not bounded.
  uncertainty_ns LONG,
  -- certain if request_ns is larger than its error, impossible if it is negative by more than that,
  -- else undecided.
  verdict STRING
) AS
WITH span AS (
  SELECT s.id, s.ts, s.dur, s.name, i.span_id, i.parent_span_id, m.machine_id
  FROM _span_ids AS i
  JOIN slice AS s ON s.arg_set_id = i.arg_set_id
  JOIN _track_machine AS m ON m.track_id = s.track_id
),
pair AS (
  SELECT
    p.id AS parent_slice, c.id AS child_slice, p.name AS parent_name, c.name AS child_name,
    p.machine_id AS parent_machine, c.machine_id AS child_machine, c.ts - p.ts AS request_ns,
    iif(p.dur = -1 OR c.dur = -1, NULL, p.ts + p.dur - c.ts - c.dur) AS response_ns,
    up.uncertainty_ns + uc.uncertainty_ns AS uncertainty_ns
  FROM span AS c
  JOIN span AS p ON p.span_id = c.parent_span_id
  LEFT JOIN _machine_uncertainty AS up ON up.machine_id = p.machine_id
  LEFT JOIN _machine_uncertainty AS uc ON uc.machine_id = c.machine_id
  WHERE p.machine_id != c.machine_id
)
SELECT *, _latency_verdict!(request_ns, uncertainty_ns) AS verdict FROM pair;
