-- Errors "application not responding".

-- Kind of an error, from the name that the system writes.
CREATE PERFETTO FUNCTION _platform_to_standard_anr_type(
  -- Name that the system writes.
  platform STRING
)
-- Kind.
RETURNS STRING AS
SELECT CASE $platform
  WHEN 'INPUT_DISPATCHING_TIMEOUT' THEN 'INPUT_DISPATCHING_TIMEOUT'
  WHEN 'INPUT_DISPATCHING_TIMEOUT_NO_FOCUSED_WINDOW'
    THEN 'INPUT_DISPATCHING_TIMEOUT_NO_FOCUSED_WINDOW'
  WHEN 'BROADCAST_OF_INTENT' THEN 'BROADCAST_OF_INTENT'
  WHEN 'EXECUTING_SERVICE' THEN 'EXECUTING_SERVICE'
  WHEN 'START_FOREGROUND_SERVICE' THEN 'START_FOREGROUND_SERVICE'
  WHEN 'CONTENT_PROVIDER_NOT_RESPONDING' THEN 'CONTENT_PROVIDER_NOT_RESPONDING'
  WHEN 'JOB_SERVICE_START' THEN 'JOB_SERVICE_START'
  ELSE 'UNKNOWN_ANR_TYPE'
END;

-- Kind of an error, from its subject.
CREATE PERFETTO FUNCTION _extract_anr_type(
  -- Subject of the error.
  subject STRING,
  -- Name of the process.
  process_name STRING
)
-- Kind.
RETURNS STRING AS
SELECT CASE
  WHEN $subject GLOB '*does not have a focused window*'
    THEN 'INPUT_DISPATCHING_TIMEOUT_NO_FOCUSED_WINDOW'
  WHEN $subject GLOB 'Input dispatching timed out*' THEN 'INPUT_DISPATCHING_TIMEOUT'
  WHEN $subject GLOB 'Broadcast of*' THEN 'BROADCAST_OF_INTENT'
  WHEN $subject GLOB '*did not then call *startForeground*' THEN 'START_FOREGROUND_SERVICE'
  WHEN $subject GLOB 'executing service*' OR $subject GLOB 'Executing service*'
    THEN 'EXECUTING_SERVICE'
  WHEN $subject GLOB '*ontentProvider*' OR $subject GLOB '*ontent provider*'
    THEN 'CONTENT_PROVIDER_NOT_RESPONDING'
  WHEN $subject GLOB 'No response to onStartJob*' THEN 'JOB_SERVICE_START'
  WHEN $subject GLOB 'No response to onStopJob*' THEN 'JOB_SERVICE_STOP'
  WHEN $subject GLOB '*JobService*bind*' THEN 'JOB_SERVICE_BIND'
  WHEN $subject GLOB '*required notification not provided*' THEN 'JOB_SERVICE_NOTIFICATION_NOT_PROVIDED'
  WHEN $subject GLOB 'Process*failed to complete startup*' THEN 'BIND_APPLICATION'
  WHEN $subject GLOB '*App requested*' THEN 'APP_TRIGGERED'
  ELSE 'UNKNOWN_ANR_TYPE'
END;

-- Flags of the intent of a broadcast.
CREATE PERFETTO FUNCTION _get_broadcast_flag(
  -- Subject of the error.
  subject STRING
)
-- Flags; NULL if the subject has none.
RETURNS LONG AS
SELECT unhex(regexp_extract($subject, 'flg=0x([0-9a-fA-F]+)'));

-- Time after which the system reports an error.
CREATE PERFETTO FUNCTION _default_anr_dur(
  -- Kind of the error.
  anr_type STRING,
  -- Subject of the error.
  subject STRING
)
-- Time, ms; NULL where there is no fixed one.
RETURNS LONG AS
SELECT CASE $anr_type
  WHEN 'INPUT_DISPATCHING_TIMEOUT' THEN 5000
  WHEN 'INPUT_DISPATCHING_TIMEOUT_NO_FOCUSED_WINDOW' THEN 5000
  WHEN 'BROADCAST_OF_INTENT'
    THEN iif(coalesce(_get_broadcast_flag($subject), 0) & 0x10000000 != 0, 10000, 60000)
  WHEN 'EXECUTING_SERVICE' THEN 20000
  WHEN 'START_FOREGROUND_SERVICE' THEN 30000
  WHEN 'CONTENT_PROVIDER_NOT_RESPONDING' THEN 10000
  WHEN 'BIND_APPLICATION' THEN 15000
  WHEN 'JOB_SERVICE_START' THEN 8000
  WHEN 'JOB_SERVICE_STOP' THEN 8000
  WHEN 'JOB_SERVICE_BIND' THEN 18000
END;

-- Time that the application did not answer, as the subject tells.
CREATE PERFETTO FUNCTION _extract_anr_duration_from_subject(
  -- Subject of the error.
  subject STRING
)
-- Time, ms; NULL if the subject does not tell it.
RETURNS LONG AS
SELECT cast_int!(regexp_extract($subject, 'aited ([0-9]+)ms'));

-- Intent of a broadcast or service.
CREATE PERFETTO FUNCTION _get_intent(
  -- Kind of the error.
  anr_type STRING,
  -- Subject of the error.
  subject STRING
)
-- Action of the intent; NULL if the subject has none.
RETURNS STRING AS
SELECT iif(
  $anr_type IN ('BROADCAST_OF_INTENT', 'EXECUTING_SERVICE'),
  regexp_extract($subject, 'act=([^ },]+)'),
  NULL
);

-- Component that did not answer.
CREATE PERFETTO FUNCTION _get_component(
  -- Kind of the error.
  anr_type STRING,
  -- Subject of the error.
  subject STRING
)
-- Component; NULL if the subject has none.
RETURNS STRING AS
SELECT coalesce(
  regexp_extract($subject, 'cmp=([^ },]+)'),
  regexp_extract($subject, '([A-Za-z0-9_.$]+/[A-Za-z0-9_.$]+)')
);

-- The system writes counters ErrorId:PROCESS PID#ID and Subject(for ErrorId ID):TEXT.
-- Errors "application not responding".
CREATE PERFETTO TABLE android_anrs(
  -- Name of the process.
  process_name STRING,
  -- Process number of the operating system.
  pid LONG,
  -- Process.
  upid JOINID(process.id),
  -- Id of the error.
  error_id STRING,
  -- Time of the report, ns.
  ts TIMESTAMP,
  -- Why the system reports the error.
  subject STRING,
  -- Action of the intent.
  intent STRING,
  -- Component that did not answer.
  component STRING,
  -- How late the system noticed, ms.
  timer_delay LONG,
  -- Kind of the error.
  anr_type STRING,
  -- Time that the application did not answer, ms.
  anr_dur_ms LONG,
  -- Time after which the system reports such errors, ms.
  default_anr_dur_ms LONG
) AS
WITH error AS (
  SELECT
    c.ts, regexp_extract(t.name, '^ErrorId:(.*) [0-9]+#') AS process_name,
    cast_int!(regexp_extract(t.name, ' ([0-9]+)#')) AS pid,
    regexp_extract(t.name, '#(.*)$') AS error_id
  FROM process_counter_track AS t
  JOIN counter AS c ON c.track_id = t.id
  WHERE t.name GLOB 'ErrorId:*'
),
subject AS (
  SELECT
    regexp_extract(t.name, '^Subject\(for ErrorId ([^)]*)\)') AS error_id,
    min(substr(t.name, instr(t.name, '):') + 2)) AS subject
  FROM process_counter_track AS t
  WHERE t.name GLOB 'Subject(for ErrorId *'
  GROUP BY 1
),
delay AS (
  SELECT
    regexp_extract(t.name, 'ErrorId[ :=]*([^ )]*)') AS error_id, min(c.value) AS timer_delay
  FROM process_counter_track AS t
  JOIN counter AS c ON c.track_id = t.id
  WHERE t.name GLOB 'anrTimer*ErrorId*'
  GROUP BY 1
),
process_of AS (
  SELECT e.error_id, max(p.upid) AS upid
  FROM error AS e
  JOIN process AS p ON p.pid = e.pid AND (p.start_ts IS NULL OR p.start_ts <= e.ts)
  GROUP BY e.error_id
),
typed AS (
  SELECT
    e.process_name, e.pid, p.upid, e.error_id, e.ts, s.subject,
    cast_int!(d.timer_delay) AS timer_delay,
    _extract_anr_type(s.subject, e.process_name) AS anr_type
  FROM error AS e
  LEFT JOIN subject AS s USING (error_id)
  LEFT JOIN delay AS d USING (error_id)
  LEFT JOIN process_of AS p USING (error_id)
)
SELECT
  process_name, pid, upid, error_id, ts, subject, _get_intent(anr_type, subject) AS intent,
  _get_component(anr_type, subject) AS component, timer_delay, anr_type,
  coalesce(_extract_anr_duration_from_subject(subject), _default_anr_dur(anr_type, subject))
    AS anr_dur_ms,
  _default_anr_dur(anr_type, subject) AS default_anr_dur_ms
FROM typed
ORDER BY ts;
