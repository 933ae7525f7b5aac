-- Frequencies of memory and interconnect domains.

INCLUDE PERFETTO MODULE counters.intervals;

-- Intervals of each domain: id, track_id, name, ts, value, dur.
CREATE PERFETTO TABLE _dvfs_intervals AS
SELECT i.id, i.track_id, t.name, i.ts, i.value, i.dur
FROM counter_leading_intervals!((
  SELECT c.id, c.ts, c.track_id, c.value
  FROM counter AS c
  JOIN counter_track AS t ON c.track_id = t.id
  WHERE t.name IN (
    'domain@0 Frequency', 'domain@1 Frequency', 'domain@2 Frequency', 'domain@3 Frequency',
    'bus_throughput Frequency', 'cpu0dsu Frequency', 'bus_mif Frequency', 'bus_int Frequency',
    '17000010.devfreq_mif Frequency', '17000020.devfreq_int Frequency',
    '17000090.devfreq_dsu Frequency', '17000080.devfreq_bo Frequency'
  ) OR t.name GLOB 'devfreq_*' OR t.name GLOB '*.devfreq_* Frequency'
)) AS i
JOIN counter_track AS t ON t.id = i.track_id;

-- Intervals of the frequency of each domain.
CREATE PERFETTO VIEW android_dvfs_counters(
  -- Name of the counter.
  name STRING,
  -- Start, ns.
  ts TIMESTAMP,
  -- Frequency.
  value DOUBLE,
  -- Duration, ns.
  dur DURATION
) AS
SELECT name, ts, value, dur FROM _dvfs_intervals;

-- Range and mean of the frequency of each domain.
CREATE PERFETTO TABLE android_dvfs_counter_stats(
  -- Name of the counter.
  name STRING,
  -- Highest frequency.
  max DOUBLE,
  -- Lowest frequency.
  min DOUBLE,
  -- Time with a known frequency, ns.
  dur DURATION,
  -- Mean frequency weighted by time.
  wgt_avg DOUBLE
) AS
SELECT
  name, max(value) AS max, min(value) AS min, sum(dur) AS dur,
  sum(dur * value) / cast_double!(sum(dur)) AS wgt_avg
FROM _dvfs_intervals
GROUP BY name
ORDER BY name;

-- Time of each domain at each frequency.
CREATE PERFETTO VIEW android_dvfs_counter_residency(
  -- Name of the counter.
  name STRING,
  -- Frequency.
  value DOUBLE,
  -- Time at the frequency, ns.
  dur DURATION,
  -- Percent of the time with a known frequency.
  pct DOUBLE
) AS
WITH total AS (SELECT name, sum(dur) AS total_dur FROM _dvfs_intervals GROUP BY name)
SELECT d.name, d.value, sum(d.dur) AS dur, sum(d.dur) * 100.0 / t.total_dur AS pct
FROM _dvfs_intervals AS d
JOIN total AS t USING (name)
GROUP BY d.name, d.value
ORDER BY pct DESC;
