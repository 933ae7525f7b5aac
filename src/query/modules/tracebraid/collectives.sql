-- Collective operations of distributed training (NCCL, RCCL, Gloo) and barriers: which rank was late.
--
-- An operation of a rank is a kernel or a slice record_param_comms with the args that PyTorch writes:
-- "Comms Id" and "Seq", or the name of the process group, its ranks and "Seq". Rows without them are
-- left out: the order in the file is no evidence, because profilers lose events. A barrier of a rank
-- is a slice with the args barrier (its name), generation and rank.

INCLUDE PERFETTO MODULE tracebraid.clocks;

-- Args of operations by their short names: arg_set_id and one column for each arg.
CREATE PERFETTO TABLE _collective_args AS
WITH arg AS (
  SELECT
    arg_set_id,
    CASE
      WHEN key GLOB 'args.*' THEN substr(key, 6)
      WHEN key GLOB 'debug.*' THEN substr(key, 7)
      ELSE key
    END AS name,
    coalesce(string_value, CAST(int_value AS TEXT), CAST(real_value AS TEXT)) AS value
  FROM args
  WHERE key GLOB '*Collective name' OR key GLOB '*Process Group Name'
    OR key GLOB '*Process Group Ranks' OR key GLOB '*Comms Id' OR key GLOB '*Seq'
    OR key GLOB '*Group size' OR key GLOB '*Rank' OR key GLOB '*In msg nelems'
    OR key IN (
      'barrier', 'args.barrier', 'debug.barrier', 'args.barrier_id', 'debug.barrier_id',
      'generation', 'args.generation', 'debug.generation', 'parties', 'args.parties',
      'debug.parties', 'args.comm_size', 'debug.comm_size', 'args.world_size', 'debug.world_size',
      'rank', 'args.rank', 'debug.rank'
    )
)
SELECT
  arg_set_id,
  max(CASE name WHEN 'Collective name' THEN value
    WHEN 'barrier' THEN 'barrier' WHEN 'barrier_id' THEN 'barrier' END) AS kind,
  max(iif(name IN ('Process Group Name', 'barrier', 'barrier_id'), value, NULL)) AS group_name,
  max(iif(name = 'Process Group Ranks', value, NULL)) AS group_ranks,
  max(CASE name WHEN 'Comms Id' THEN value
    WHEN 'barrier' THEN 'barrier ' || value WHEN 'barrier_id' THEN 'barrier ' || value END)
    AS comms_id,
  max(iif(name IN ('Seq', 'generation'), cast_int!(value), NULL)) AS seq,
  max(iif(
    name IN ('Group size', 'parties', 'comm_size', 'world_size'), cast_int!(value), NULL))
    AS group_size,
  max(iif(name IN ('Rank', 'rank'), cast_int!(value), NULL)) AS rank
FROM arg
GROUP BY arg_set_id;

-- Rank of each file: trace_id, rank. The file says it in distributedInfo or in its operations.
CREATE PERFETTO TABLE _collective_file_rank AS
SELECT trace_id, min(cast_int!(coalesce(CAST(int_value AS TEXT), str_value))) AS rank
FROM metadata
WHERE name GLOB '*distributedInfo*rank' AND trace_id IS NOT NULL
GROUP BY trace_id;

-- Operations of ranks: slice_id, key (equal for all ranks of one operation), rank, start and end.
CREATE PERFETTO TABLE _collective_operation AS
WITH operation AS (
  SELECT
    s.id AS slice_id, s.ts AS start_ts, iif(s.dur = -1, NULL, s.ts + s.dur) AS end_ts, a.kind,
    a.group_name, a.group_ranks, a.comms_id, a.seq, a.group_size,
    coalesce(a.rank, f.rank, p.pid) AS rank, s.track_id, m.machine_id, t.trace_id, p.upid,
    s.name = 'record_param_comms' AS is_host
  FROM _collective_args AS a
  JOIN slice AS s ON s.arg_set_id = a.arg_set_id
  JOIN _track_machine AS m ON m.track_id = s.track_id
  LEFT JOIN __intrinsic_track AS t ON t.id = s.track_id
  LEFT JOIN _collective_file_rank AS f ON f.trace_id = t.trace_id
  LEFT JOIN thread AS th ON th.utid = t.utid
  LEFT JOIN process AS p ON p.upid = coalesce(th.upid, t.upid)
  WHERE a.seq IS NOT NULL AND a.kind IS NOT NULL AND a.kind NOT IN ('wait', 'send', 'recv')
    AND coalesce(a.group_size, 2) > 1
    AND (a.comms_id IS NOT NULL OR (a.group_name IS NOT NULL AND a.group_ranks IS NOT NULL))
),
keyed AS (
  SELECT
    *,
    coalesce(comms_id, group_name || '/' || group_ranks) || '#' || seq AS key,
    -- Kernels of the device count before slices of the host.
    row_number() OVER (
      PARTITION BY coalesce(comms_id, group_name || '/' || group_ranks), seq, rank, upid
      ORDER BY is_host, start_ts
    ) AS choice
  FROM operation
)
SELECT
  key, slice_id, start_ts, end_ts, kind, group_name, seq, group_size, rank, machine_id, trace_id
FROM keyed
WHERE choice = 1
ORDER BY key, rank;

-- Largest uncertainty of the times of each file: trace_id, uncertainty_ns (NULL: not bounded). Files
-- of one machine may have clocks of their own.
CREATE PERFETTO TABLE _file_uncertainty AS
SELECT
  trace_id, iif(count(*) = count(uncertainty_ns), max(uncertainty_ns), NULL) AS uncertainty_ns
FROM placement
WHERE rule != 'without_time' AND placed > 0
GROUP BY trace_id;

-- Collective operations and barriers of at least two ranks.
CREATE PERFETTO TABLE collective(
  -- Number of the operation.
  id LONG,
  -- Kind: allreduce, broadcast, barrier ...
  kind STRING,
  -- Key of the operation.
  name STRING,
  -- Process group, or name of the barrier.
  group_name STRING,
  -- Number of the operation in its group.
  seq LONG,
  -- Number of ranks in the trace.
  ranks_seen LONG,
  -- Size of the group.
  ranks_expected LONG,
  -- Start of the first rank, ns.
  first_start_ts TIMESTAMP,
  -- Start of the last rank, ns.
  last_start_ts TIMESTAMP,
  -- End of the first rank, ns.
  first_end_ts TIMESTAMP,
  -- End of the last rank, ns.
  last_end_ts TIMESTAMP,
  -- Rank that started last.
  last_rank LONG,
  -- Last start minus first start, ns.
  skew_ns LONG,
  -- Largest error between the ranks, ns; NULL if it is not bounded.
  uncertainty_ns LONG,
  -- late if the last rank came later than the second-last by more than the error, else undecided.
  verdict STRING
) AS
WITH ordered AS (
  SELECT
    o.*, u.uncertainty_ns,
    row_number() OVER (PARTITION BY o.key ORDER BY o.start_ts DESC, o.rank) AS place
  FROM _collective_operation AS o
  LEFT JOIN _file_uncertainty AS u ON u.trace_id = o.trace_id
),
grouped AS (
  SELECT
    min(kind) AS kind, key AS name, min(group_name) AS group_name, min(seq) AS seq,
    count(*) AS ranks_seen, max(group_size) AS ranks_expected, min(start_ts) AS first_start_ts,
    max(start_ts) AS last_start_ts, min(end_ts) AS first_end_ts, max(end_ts) AS last_end_ts,
    max(iif(place = 1, rank, NULL)) AS last_rank,
    max(iif(place = 2, start_ts, NULL)) AS second_start_ts,
    iif(
      min(trace_id) = max(trace_id) AND min(machine_id) = max(machine_id), 0,
      iif(count(uncertainty_ns) = count(*), 2 * max(uncertainty_ns), NULL)
    ) AS uncertainty_ns
  FROM ordered
  GROUP BY key
  HAVING count(*) > 1
)
SELECT
  row_number() OVER (ORDER BY first_start_ts, name) - 1 AS id, kind, name, group_name, seq,
  ranks_seen, ranks_expected, first_start_ts, last_start_ts, first_end_ts, last_end_ts, last_rank,
  last_start_ts - first_start_ts AS skew_ns, uncertainty_ns,
  iif(last_start_ts - second_start_ts > uncertainty_ns, 'late', 'undecided') AS verdict
FROM grouped
ORDER BY first_start_ts, name;

-- What each rank did in each operation.
CREATE PERFETTO TABLE collective_rank(
  -- Operation.
  collective_id LONG,
  -- Rank.
  rank LONG,
  -- Slice of the rank.
  slice_id JOINID(slice.id),
  -- Start, ns.
  start_ts TIMESTAMP,
  -- End, ns.
  end_ts TIMESTAMP,
  -- Time that the rank waited for the last one, ns.
  wait_ns LONG
) AS
SELECT
  c.id AS collective_id, o.rank, o.slice_id, o.start_ts, o.end_ts,
  c.last_start_ts - o.start_ts AS wait_ns
FROM collective AS c
JOIN _collective_operation AS o ON o.key = c.name
ORDER BY c.id, o.rank;

-- How often each rank was the last.
CREATE PERFETTO VIEW collective_lateness(
  -- Rank.
  rank LONG,
  -- Number of operations of the rank.
  operations LONG,
  -- Number of operations in which the rank was certainly the last.
  times_last LONG,
  -- Number of operations in which the last rank is not certain.
  times_undecided LONG,
  -- Mean time that the rank waited for the last one, ns.
  mean_wait_ns DOUBLE,
  -- Largest error of a wait, ns; NULL if it is not bounded.
  wait_uncertainty_ns LONG
) AS
SELECT
  r.rank, count(*) AS operations,
  sum(c.verdict = 'late' AND c.last_rank = r.rank) AS times_last,
  sum(c.verdict = 'undecided') AS times_undecided, avg(r.wait_ns) AS mean_wait_ns,
  iif(count(c.uncertainty_ns) = count(*), max(c.uncertainty_ns), NULL) AS wait_uncertainty_ns
FROM collective_rank AS r
JOIN collective AS c ON c.id = r.collective_id
GROUP BY r.rank;
