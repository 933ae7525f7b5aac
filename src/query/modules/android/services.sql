-- Bindings of services.

INCLUDE PERFETTO MODULE android.oom_adjuster;
INCLUDE PERFETTO MODULE slices.with_context;

-- Calls in which a client asks for a binding: id, ts, dur, utid, thread and process, token, act, cmp,
-- flg, bind_seq.
CREATE PERFETTO MACRO _service_bind_slices(
  -- Pattern of the names of the slices.
  pattern Expr
)
-- Rows.
RETURNS TableOrSubquery AS
(
  SELECT
    id, ts, dur, utid, tid, thread_name, upid, pid, process_name,
    regexp_extract(name, 'token=([^ ,}]+)') AS token,
    regexp_extract(name, 'act=([^ ,}]+)') AS act,
    regexp_extract(name, 'cmp=([^ ,}]+)') AS cmp,
    regexp_extract(name, 'flg=([^ ,}]+)') AS flg,
    cast_int!(regexp_extract(name, 'bindSeq=([0-9]+)')) AS bind_seq
  FROM thread_slice
  WHERE name GLOB $pattern
);

-- Requests of bindings on the side of the client.
CREATE PERFETTO TABLE _bind_dispatch AS
SELECT * FROM _service_bind_slices!('requestServiceBinding*bindSeq=*');

-- Handling of bindings on the side of the service.
CREATE PERFETTO TABLE _bind_receive AS
SELECT * FROM _service_bind_slices!('serviceBind: *bindSeq=*');

-- Last score of processes at a time.
CREATE PERFETTO MACRO _service_oom_score(
  -- Process.
  upid Expr,
  -- Time, ns.
  ts Expr
)
-- Expression that gives the score.
RETURNS Expr AS
(
  SELECT o.score
  FROM _oom_adjuster_intervals AS o
  WHERE o.upid = $upid AND $ts >= o.ts AND $ts < o.ts + o.dur
  LIMIT 1
);

-- Bindings of services, from the request of the client to the handling by the service.
CREATE PERFETTO TABLE android_service_bindings(
  -- Score of the client.
  client_oom_score LONG,
  -- Name of the client's process.
  client_process STRING,
  -- Name of the client's thread.
  client_thread STRING,
  -- Process number of the client.
  client_pid LONG,
  -- Thread number of the client.
  client_tid LONG,
  -- Process of the client.
  client_upid JOINID(process.id),
  -- Thread of the client.
  client_utid JOINID(thread.id),
  -- Start of the request, ns.
  client_ts TIMESTAMP,
  -- Duration of the request, ns.
  client_dur DURATION,
  -- Score of the service.
  server_oom_score LONG,
  -- Name of the service's process.
  server_process STRING,
  -- Name of the service's thread.
  server_thread STRING,
  -- Process number of the service.
  server_pid LONG,
  -- Thread number of the service.
  server_tid LONG,
  -- Process of the service.
  server_upid JOINID(process.id),
  -- Thread of the service.
  server_utid JOINID(thread.id),
  -- Start of the handling, ns.
  server_ts TIMESTAMP,
  -- Duration of the handling, ns.
  server_dur DURATION,
  -- Token of the service.
  token STRING,
  -- Action of the intent.
  act STRING,
  -- Component of the intent.
  cmp STRING,
  -- Flags of the intent.
  flg STRING,
  -- Number of the binding.
  bind_seq LONG
) AS
SELECT
  _service_oom_score!(d.upid, d.ts) AS client_oom_score, d.process_name AS client_process,
  d.thread_name AS client_thread, d.pid AS client_pid, d.tid AS client_tid, d.upid AS client_upid,
  d.utid AS client_utid, d.ts AS client_ts, d.dur AS client_dur,
  _service_oom_score!(r.upid, r.ts) AS server_oom_score, r.process_name AS server_process,
  r.thread_name AS server_thread, r.pid AS server_pid, r.tid AS server_tid, r.upid AS server_upid,
  r.utid AS server_utid, r.ts AS server_ts, r.dur AS server_dur,
  r.token, r.act, r.cmp, r.flg, r.bind_seq
FROM _bind_receive AS r
LEFT JOIN _bind_dispatch AS d USING (bind_seq)
ORDER BY r.ts;
