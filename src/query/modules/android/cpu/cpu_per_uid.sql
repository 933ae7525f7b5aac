-- CPU time of users of Android, by cluster.

INCLUDE PERFETTO MODULE counters.intervals;

-- Tracks of the CPU time of users.
CREATE PERFETTO VIEW android_cpu_per_uid_track(
  -- Track.
  id JOINID(track.id),
  -- Name of the track.
  name STRING,
  -- Kind of the track.
  type STRING,
  -- User id, or the first one of a group of them.
  uid LONG,
  -- Cluster of CPUs.
  cluster LONG,
  -- CPU time in the trace, ms.
  total_cpu_millis LONG
) AS
SELECT t.id, t.name, t.type, u.uid, u.cluster, u.total_cpu_millis
FROM __intrinsic_android_cpu_per_uid_track AS u
JOIN track AS t ON t.id = u.track_id;

-- Samples of these tracks as intervals.
CREATE PERFETTO TABLE android_cpu_per_uid_counter(
  -- Sample.
  id JOINID(counter.id),
  -- Time, ns.
  ts TIMESTAMP,
  -- Time until the next sample, ns.
  dur DURATION,
  -- Track.
  track_id JOINID(track.id),
  -- User id.
  uid LONG,
  -- Cluster of CPUs.
  cluster LONG,
  -- CPU time so far, ms.
  value DOUBLE,
  -- CPU time until the next sample, divided by that time: number of CPUs in use.
  cpu_ratio DOUBLE
) AS
SELECT
  c.id, c.ts, c.dur, c.track_id, t.uid, t.cluster, c.value,
  (c.next_value - c.value) * 1e6 / c.dur AS cpu_ratio
FROM counter_leading_intervals!(
  (
    SELECT c.id, c.ts, c.track_id, c.value
    FROM counter AS c
    JOIN android_cpu_per_uid_track AS t ON t.id = c.track_id
  )
) AS c
JOIN android_cpu_per_uid_track AS t ON t.id = c.track_id
ORDER BY c.id;
