-- Jobs.

INCLUDE PERFETTO MODULE slices.with_context;

-- The system server names jobs *job*UID/PACKAGE/SERVICE#ID or *job*/UID... .
-- Jobs that the system ran.
CREATE PERFETTO TABLE android_job_scheduler_events(
  -- Number of the job in its package.
  job_id LONG,
  -- User id of the operating system.
  uid LONG,
  -- Package.
  package_name STRING,
  -- Service that runs the job.
  job_service_name STRING,
  -- Track.
  track_id JOINID(track.id),
  -- Slice.
  id LONG,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION
) AS
SELECT
  cast_int!(regexp_extract(s.name, '#([0-9]+)')) AS job_id,
  cast_int!(regexp_extract(s.name, '\*job\*[^0-9]*([0-9]+)/')) AS uid,
  regexp_extract(s.name, '\*job\*[^0-9]*[0-9]+/([^/#]+)') AS package_name,
  regexp_extract(s.name, '\*job\*[^0-9]*[0-9]+/[^/#]+/([^#]+)') AS job_service_name,
  s.track_id, s.id, s.ts, s.dur
FROM process_slice AS s
WHERE s.process_name = 'system_server' AND s.name GLOB '[*]job[*]*'
ORDER BY s.ts;
