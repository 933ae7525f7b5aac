-- Marks of the system about starts of applications.

-- Async slices "launching: PACKAGE" of the system server: ts, dur, ts_end, package_name.
CREATE PERFETTO TABLE _startup_events AS
SELECT
  s.ts, s.dur, s.ts + s.dur AS ts_end,
  str_split(s.name, ': ', 1) AS package_name
FROM slice AS s
JOIN process_track AS t ON t.id = s.track_id
LEFT JOIN process AS p ON p.upid = t.upid
WHERE s.name GLOB 'launching: *' AND s.dur != 0 AND (p.name IS NULL OR p.name = 'system_server')
ORDER BY s.ts;
