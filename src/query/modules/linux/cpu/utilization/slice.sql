-- CPU cycles of slices.

INCLUDE PERFETTO MODULE intervals.intersect;
INCLUDE PERFETTO MODULE linux.cpu.utilization.general;
INCLUDE PERFETTO MODULE slices.with_context;

-- CPU cycles that the thread of a slice used during the slice.
CREATE PERFETTO TABLE cpu_cycles_per_thread_slice(
  -- Slice.
  id ID(slice.id),
  -- Name of the slice.
  name STRING,
  -- Thread.
  utid JOINID(thread.id),
  -- Name of the thread.
  thread_name STRING,
  -- Process.
  upid JOINID(process.id),
  -- Name of the process.
  process_name STRING,
  -- CPU cycles in thousandths; NULL if the frequency is not known.
  millicycles LONG,
  -- CPU cycles in millions; NULL if the frequency is not known.
  megacycles LONG
) AS
WITH piece AS (
  SELECT id_0 AS id, id_1 AS freq_id, dur
  FROM _interval_intersect!(
    (
      (SELECT id, ts, dur, utid FROM thread_slice WHERE utid > 0 AND dur > 0),
      (SELECT id, ts, dur, utid FROM _cpu_freq_per_thread WHERE dur > 0)
    ),
    (utid)
  )
),
cycles AS (
  SELECT piece.id, sum(piece.dur * f.freq / 1000) AS millicycles
  FROM piece
  JOIN _cpu_freq_per_thread_no_id AS f ON f._auto_id = piece.freq_id
  GROUP BY piece.id
)
SELECT
  s.id, s.name, s.utid, s.thread_name, s.upid, s.process_name, cast_int!(c.millicycles) AS millicycles,
  cast_int!(c.millicycles / 1e9) AS megacycles
FROM cycles AS c
JOIN thread_slice AS s USING (id)
ORDER BY s.id;

-- CPU cycles that the threads of slices used during the slices, within an interval.
CREATE PERFETTO FUNCTION cpu_cycles_per_thread_slice_in_interval(
  -- Start of the interval, ns.
  ts TIMESTAMP,
  -- Duration of the interval, ns.
  dur DURATION
)
RETURNS TABLE(
  -- Slice.
  id ID(slice.id),
  -- Name of the slice.
  name STRING,
  -- Thread.
  utid JOINID(thread.id),
  -- Name of the thread.
  thread_name STRING,
  -- Process.
  upid JOINID(process.id),
  -- Name of the process.
  process_name STRING,
  -- CPU cycles in thousandths; NULL if the frequency is not known.
  millicycles LONG,
  -- CPU cycles in millions; NULL if the frequency is not known.
  megacycles LONG
) AS
WITH piece AS (
  SELECT id_0 AS id, id_1 AS freq_id, dur
  FROM _interval_intersect!(
    (
      (
        SELECT id, max(ts, $ts) AS ts, min(ts + dur, $ts + $dur) - max(ts, $ts) AS dur, utid
        FROM thread_slice
        WHERE utid > 0 AND dur > 0 AND ts < $ts + $dur AND ts + dur > $ts
      ),
      (SELECT id, ts, dur, utid FROM _cpu_freq_pieces!($ts, $dur))
    ),
    (utid)
  )
),
cycles AS (
  SELECT piece.id, sum(piece.dur * f.freq / 1000) AS millicycles
  FROM piece
  JOIN _cpu_freq_per_thread_no_id AS f ON f._auto_id = piece.freq_id
  GROUP BY piece.id
)
SELECT
  s.id, s.name, s.utid, s.thread_name, s.upid, s.process_name, cast_int!(c.millicycles) AS millicycles,
  cast_int!(c.millicycles / 1e9) AS megacycles
FROM cycles AS c
JOIN thread_slice AS s USING (id);
