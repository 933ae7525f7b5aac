-- Counters that have samples.

-- Counter tracks with samples: id.
CREATE PERFETTO TABLE _counter_track_summary AS
SELECT DISTINCT track_id AS id
FROM counter
ORDER BY track_id;
