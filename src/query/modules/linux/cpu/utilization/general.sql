-- What the modules of CPU utilization share: running threads with the frequency of their CPU.

INCLUDE PERFETTO MODULE linux.cpu.frequency;

-- Frequencies of CPUs: ts, dur, ucpu, freq.
CREATE PERFETTO VIEW _cpu_freq_for_metrics AS
SELECT ts, dur, ucpu, freq FROM cpu_frequency_counters;

-- Closed intervals of sched in which a thread other than an idle one ran.
CREATE PERFETTO VIEW _sched_without_id AS
SELECT ts, dur, utid, ucpu
FROM sched
WHERE dur != -1 AND utid NOT IN (SELECT utid FROM thread WHERE is_idle);

CREATE VIRTUAL TABLE _cpu_freq_per_thread_span
USING SPAN_LEFT_JOIN(_sched_without_id PARTITIONED ucpu, _cpu_freq_for_metrics PARTITIONED ucpu);

-- Running threads cut at each change of the CPU's frequency: ts, dur, ucpu, cpu, utid, freq (NULL if
-- not known).
CREATE PERFETTO TABLE _cpu_freq_per_thread_no_id AS
SELECT s.ts, s.dur, s.ucpu, cpu.cpu, s.utid, s.freq
FROM _cpu_freq_per_thread_span AS s
LEFT JOIN cpu ON cpu.ucpu = s.ucpu;

-- _cpu_freq_per_thread_no_id with row numbers as id.
CREATE PERFETTO VIEW _cpu_freq_per_thread AS
SELECT _auto_id AS id, ts, dur, ucpu, cpu, utid, freq FROM _cpu_freq_per_thread_no_id;

-- Columns of cycles over grouped rows with dur and freq.
CREATE PERFETTO MACRO _cpu_cycles_columns(
  -- Duration, ns.
  dur ColumnName,
  -- Frequency, kHz.
  freq ColumnName
)
-- Columns millicycles, megacycles, runtime, min_freq, max_freq, avg_freq.
RETURNS _ProjectionFragment AS
cast_int!(sum($dur * $freq / 1000)) AS millicycles,
cast_int!(sum($dur * $freq / 1000) / 1e9) AS megacycles,
sum($dur) AS runtime,
min($freq) AS min_freq,
max($freq) AS max_freq,
cast_int!(sum($dur * $freq / 1000) / (sum($dur) / 1000)) AS avg_freq;

-- Columns of cycles over grouped rows of _cpu_freq_pieces!; the mean frequency is of the pieces whose
-- frequency is known.
CREATE PERFETTO MACRO _cpu_cycles_columns_in_interval()
-- Columns millicycles, megacycles, runtime, awake_runtime, min_freq, max_freq, avg_freq.
RETURNS _ProjectionFragment AS
cast_int!(sum(dur * freq / 1000)) AS millicycles,
cast_int!(sum(dur * freq / 1000) / 1e9) AS megacycles,
sum(dur) AS runtime,
sum(to_monotonic(ts + dur) - to_monotonic(ts)) AS awake_runtime,
min(freq) AS min_freq,
max(freq) AS max_freq,
cast_int!(sum(dur * freq / 1000) / (sum(iif(freq IS NULL, NULL, dur)) / 1000)) AS avg_freq;

-- Rows of _cpu_freq_per_thread cut to an interval.
CREATE PERFETTO MACRO _cpu_freq_pieces(
  -- Start of the interval, ns.
  start Expr,
  -- Length of the interval, ns.
  length Expr
)
-- Rows id, ts, dur, ucpu, cpu, utid, freq.
RETURNS TableOrSubquery AS
(
  SELECT
    id, max(ts, $start) AS ts, min(ts + dur, $start + $length) - max(ts, $start) AS dur, ucpu, cpu,
    utid, freq
  FROM _cpu_freq_per_thread
  WHERE ts < $start + $length AND ts + dur > $start
);

-- Start of the period that a time lies in; periods are multiples of their size.
CREATE PERFETTO FUNCTION _partition_start(
  -- Time, ns.
  ts TIMESTAMP,
  -- Length of a period, ns.
  size LONG
)
-- Start, ns.
RETURNS LONG AS
SELECT $ts / $size * $size;

-- Number of periods that the trace touches.
CREATE PERFETTO FUNCTION _partition_count(
  -- Length of a period, ns.
  size LONG
)
-- Number of periods.
RETURNS LONG AS
SELECT (trace_end() - trace_start() / $size * $size + $size - 1) / $size;

-- Periods that the trace touches.
CREATE PERFETTO FUNCTION _partitions(
  -- Length of a period, ns.
  size LONG
)
RETURNS TABLE(
  -- Start, ns.
  ts TIMESTAMP,
  -- End, ns.
  ts_end LONG
) AS
WITH RECURSIVE period(start) AS (
  SELECT trace_start() / $size * $size WHERE $size > 0
  UNION ALL
  SELECT start + $size FROM period WHERE start + $size < trace_end()
)
SELECT start AS ts, start + $size AS ts_end FROM period;

-- Intervals by the period in which they begin, cut at the end of the period.
CREATE PERFETTO MACRO _interval_partitions(
  -- Table with columns ts, ts_end: periods that do not overlap.
  partitions TableOrSubquery,
  -- Table with columns ts, dur.
  intervals TableOrSubquery
)
-- Rows ts (of the period), dur (of the cut interval).
RETURNS TableOrSubquery AS
(
  SELECT p.ts, min(i.ts + i.dur, p.ts_end) - i.ts AS dur
  FROM $intervals AS i
  JOIN $partitions AS p ON i.ts >= p.ts AND i.ts < p.ts_end
);

-- Utilization by period, rounded to hundredths. An interval of sched counts for the period in which
-- it begins, cut at the end of the period.
CREATE PERFETTO MACRO _cpu_avg_utilization_per_period(
  -- Length of a period, ns.
  interval Expr,
  -- Table with columns ts, dur.
  sched_table TableOrSubquery
)
-- Rows ts, utilization, unnormalized_utilization.
RETURNS TableOrSubquery AS
(
  SELECT
    start AS ts,
    round(sum(dur) / cast_double!($interval * (SELECT max(ucpu) + 1 FROM sched)), 2) AS utilization,
    round(sum(dur) / cast_double!($interval), 2) AS unnormalized_utilization
  FROM (
    SELECT
      ts / $interval * $interval AS start,
      min(ts + dur, (ts / $interval + 1) * $interval) - ts AS dur
    FROM $sched_table
  )
  GROUP BY start
);
