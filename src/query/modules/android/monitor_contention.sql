-- Waiting for locks of Java objects (monitors).

INCLUDE PERFETTO MODULE android.suspend;
INCLUDE PERFETTO MODULE intervals.intersect;
INCLUDE PERFETTO MODULE slices.with_context;

-- Names: monitor contention with owner THREAD (TID) at METHOD(FILE:LINE) waiters=N blocking from
-- METHOD(FILE:LINE).
-- Name of the thread that holds the lock.
CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_blocking_thread(
  -- Name of the slice.
  slice_name STRING
)
-- Name of the thread.
RETURNS STRING AS
SELECT regexp_extract($slice_name, '^monitor contention with owner (.*) \([0-9]+\)');

-- Thread number of the thread that holds the lock.
CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_blocking_tid(
  -- Name of the slice.
  slice_name STRING
)
-- Thread number.
RETURNS LONG AS
SELECT cast_int!(regexp_extract($slice_name, ' \(([0-9]+)\)'));

-- Method that holds the lock, with types.
CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_blocking_method(
  -- Name of the slice.
  slice_name STRING
)
-- Method.
RETURNS STRING AS
SELECT regexp_extract($slice_name, '\([0-9]+\) at (.*)\([^()]*\) waiters=');

-- Method that holds the lock: class and name.
CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_short_blocking_method(
  -- Name of the slice.
  slice_name STRING
)
-- Method.
RETURNS STRING AS
SELECT regexp_extract($slice_name, '\([0-9]+\) at [^ ]* ?([^ (]+)\(.*\([^()]*\) waiters=');

-- Method that waits for the lock, with types.
CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_blocked_method(
  -- Name of the slice.
  slice_name STRING
)
-- Method.
RETURNS STRING AS
SELECT regexp_extract($slice_name, 'blocking from (.*)\([^()]*\)$');

-- Method that waits for the lock: class and name.
CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_short_blocked_method(
  -- Name of the slice.
  slice_name STRING
)
-- Method.
RETURNS STRING AS
SELECT regexp_extract($slice_name, 'blocking from [^ ]* ?([^ (]+)\(.*\([^()]*\)$');

-- Number of threads that already waited for the lock.
CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_waiter_count(
  -- Name of the slice.
  slice_name STRING
)
-- Number of threads.
RETURNS LONG AS
SELECT cast_int!(regexp_extract($slice_name, ' waiters=([0-9]+) '));

-- Place in the source at which the lock was taken.
CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_blocking_src(
  -- Name of the slice.
  slice_name STRING
)
-- File and line.
RETURNS STRING AS
SELECT regexp_extract($slice_name, '\(([^()]*)\) waiters=');

-- Place in the source that waits for the lock.
CREATE PERFETTO FUNCTION android_extract_android_monitor_contention_blocked_src(
  -- Name of the slice.
  slice_name STRING
)
-- File and line.
RETURNS STRING AS
SELECT regexp_extract($slice_name, '\(([^()]*)\)$');

-- Slices of contentions, with the binder call that the waiting thread handled.
CREATE PERFETTO TABLE _valid_android_monitor_contention AS
SELECT s.id
FROM thread_slice AS s
WHERE s.name GLOB 'monitor contention with owner *) at *) waiters=*blocking from *'
  AND s.upid IS NOT NULL
ORDER BY s.id;

-- Waits for locks of Java objects.
CREATE PERFETTO TABLE android_monitor_contention(
  -- Method that holds the lock, with types.
  blocking_method STRING,
  -- Method that waits for the lock, with types.
  blocked_method STRING,
  -- Method that holds the lock: class and name.
  short_blocking_method STRING,
  -- Method that waits for the lock: class and name.
  short_blocked_method STRING,
  -- Place in the source at which the lock was taken.
  blocking_src STRING,
  -- Place in the source that waits for the lock.
  blocked_src STRING,
  -- Number of threads that already waited for the lock.
  waiter_count LONG,
  -- Thread that waits.
  blocked_utid JOINID(thread.id),
  -- Name of the thread that waits.
  blocked_thread_name STRING,
  -- Thread that holds the lock.
  blocking_utid JOINID(thread.id),
  -- Name of the thread that holds the lock.
  blocking_thread_name STRING,
  -- Thread number of the thread that holds the lock.
  blocking_tid LONG,
  -- Process.
  upid JOINID(process.id),
  -- Name of the process.
  process_name STRING,
  -- Slice.
  id LONG,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Duration without suspends of the device, ns.
  monotonic_dur DURATION,
  -- Track.
  track_id JOINID(track.id),
  -- 1 if the thread that waits is the main thread.
  is_blocked_thread_main LONG,
  -- Thread number of the thread that waits.
  blocked_thread_tid LONG,
  -- 1 if the thread that holds the lock is the main thread.
  is_blocking_thread_main LONG,
  -- Thread number of the thread that holds the lock.
  blocking_thread_tid LONG,
  -- Binder call that the waiting thread handles.
  binder_reply_id LONG,
  -- Start of the handling, ns.
  binder_reply_ts TIMESTAMP,
  -- Thread number of the handling thread.
  binder_reply_tid LONG,
  -- Process number of the operating system.
  pid LONG,
  -- Class and method that hold the lock, as a name for it.
  lock_name STRING
) AS
WITH parsed AS (
  SELECT
    s.*,
    android_extract_android_monitor_contention_blocking_tid(s.name) AS blocking_tid
  FROM _valid_android_monitor_contention AS v
  JOIN thread_slice AS s USING (id)
),
-- The last thread of the process with that number.
owner AS (
  SELECT p.id, max(t.utid) AS utid
  FROM parsed AS p
  JOIN thread AS t ON t.tid = p.blocking_tid AND t.upid = p.upid
  GROUP BY p.id
),
reply AS (
  SELECT p.id, max(r.id) AS reply_id
  FROM parsed AS p, ancestor_slice(p.id) AS r
  WHERE r.name = 'binder reply'
  GROUP BY p.id
)
SELECT
  android_extract_android_monitor_contention_blocking_method(p.name) AS blocking_method,
  android_extract_android_monitor_contention_blocked_method(p.name) AS blocked_method,
  android_extract_android_monitor_contention_short_blocking_method(p.name)
    AS short_blocking_method,
  android_extract_android_monitor_contention_short_blocked_method(p.name) AS short_blocked_method,
  android_extract_android_monitor_contention_blocking_src(p.name) AS blocking_src,
  android_extract_android_monitor_contention_blocked_src(p.name) AS blocked_src,
  android_extract_android_monitor_contention_waiter_count(p.name) AS waiter_count,
  p.utid AS blocked_utid, p.thread_name AS blocked_thread_name, o.utid AS blocking_utid,
  android_extract_android_monitor_contention_blocking_thread(p.name) AS blocking_thread_name,
  p.blocking_tid, p.upid, p.process_name, p.id, p.ts, p.dur,
  _extract_duration_without_suspend(p.ts, p.dur) AS monotonic_dur, p.track_id,
  p.is_main_thread AS is_blocked_thread_main, p.tid AS blocked_thread_tid,
  owner_thread.is_main_thread AS is_blocking_thread_main, owner_thread.tid AS blocking_thread_tid,
  r.reply_id AS binder_reply_id, reply_slice.ts AS binder_reply_ts, iif(r.reply_id IS NULL, NULL, p.tid)
    AS binder_reply_tid, p.pid,
  android_extract_android_monitor_contention_short_blocking_method(p.name) AS lock_name
FROM parsed AS p
LEFT JOIN owner AS o ON o.id = p.id
LEFT JOIN thread AS owner_thread ON owner_thread.utid = o.utid
LEFT JOIN reply AS r ON r.id = p.id
LEFT JOIN slice AS reply_slice ON reply_slice.id = r.reply_id
ORDER BY p.id;

-- Waits for a thread that waits itself: id, and parent_id, the wait of the thread that holds the lock.
CREATE PERFETTO TABLE _children AS
SELECT child.id, min(parent.id) AS parent_id
FROM android_monitor_contention AS child
JOIN android_monitor_contention AS parent
  ON parent.blocked_utid = child.blocking_utid
  AND parent.ts < child.ts + child.dur AND parent.ts + parent.dur > child.ts
GROUP BY child.id
ORDER BY child.id;

-- Each wait with the first wait for its thread.
CREATE PERFETTO TABLE _child_of AS
SELECT parent_id AS id, min(id) AS child_id
FROM _children
GROUP BY parent_id
ORDER BY parent_id;

-- Waits at the end of a chain: their holders do not wait.
CREATE PERFETTO VIEW _first_blocked_contention AS
SELECT id FROM android_monitor_contention WHERE id NOT IN (SELECT id FROM _children);

-- Waits for locks, linked where the thread that holds the lock waits for another one.
CREATE PERFETTO TABLE android_monitor_contention_chain(
  -- Wait of the thread that holds the lock.
  parent_id LONG,
  -- Method that holds the lock, with types.
  blocking_method STRING,
  -- Method that waits for the lock, with types.
  blocked_method STRING,
  -- Method that holds the lock: class and name.
  short_blocking_method STRING,
  -- Method that waits for the lock: class and name.
  short_blocked_method STRING,
  -- Place in the source at which the lock was taken.
  blocking_src STRING,
  -- Place in the source that waits for the lock.
  blocked_src STRING,
  -- Number of threads that already waited for the lock.
  waiter_count LONG,
  -- Thread that waits.
  blocked_utid JOINID(thread.id),
  -- Name of the thread that waits.
  blocked_thread_name STRING,
  -- Thread that holds the lock.
  blocking_utid JOINID(thread.id),
  -- Name of the thread that holds the lock.
  blocking_thread_name STRING,
  -- Thread number of the thread that holds the lock.
  blocking_tid LONG,
  -- Process.
  upid JOINID(process.id),
  -- Name of the process.
  process_name STRING,
  -- Slice.
  id LONG,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Duration without suspends of the device, ns.
  monotonic_dur DURATION,
  -- Track.
  track_id JOINID(track.id),
  -- 1 if the thread that waits is the main thread.
  is_blocked_thread_main LONG,
  -- Thread number of the thread that waits.
  blocked_thread_tid LONG,
  -- 1 if the thread that holds the lock is the main thread.
  is_blocking_thread_main LONG,
  -- Thread number of the thread that holds the lock.
  blocking_thread_tid LONG,
  -- Binder call that the waiting thread handles.
  binder_reply_id LONG,
  -- Start of the handling, ns.
  binder_reply_ts TIMESTAMP,
  -- Thread number of the handling thread.
  binder_reply_tid LONG,
  -- Process number of the operating system.
  pid LONG,
  -- First wait for the thread that waits here.
  child_id LONG,
  -- Class and method that hold the lock, as a name for it.
  lock_name STRING
) AS
SELECT
  p.parent_id, m.blocking_method, m.blocked_method, m.short_blocking_method,
  m.short_blocked_method, m.blocking_src, m.blocked_src, m.waiter_count, m.blocked_utid,
  m.blocked_thread_name, m.blocking_utid, m.blocking_thread_name, m.blocking_tid, m.upid,
  m.process_name, m.id, m.ts, m.dur, m.monotonic_dur, m.track_id, m.is_blocked_thread_main,
  m.blocked_thread_tid, m.is_blocking_thread_main, m.blocking_thread_tid, m.binder_reply_id,
  m.binder_reply_ts, m.binder_reply_tid, m.pid, c.child_id, m.lock_name
FROM android_monitor_contention AS m
LEFT JOIN _children AS p USING (id)
LEFT JOIN _child_of AS c USING (id)
ORDER BY m.id;

-- States of threads that hold a lock while another waits for it.
CREATE PERFETTO VIEW _blocking_thread_state AS
SELECT id, ts, dur, utid FROM thread_state WHERE dur > 0;

-- States of the thread that holds a lock, during waits whose holder does not wait itself.
CREATE PERFETTO TABLE android_monitor_contention_chain_thread_state(
  -- Slice of the wait.
  id LONG,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Thread that holds the lock.
  blocking_utid JOINID(thread.id),
  -- Kernel function in which the thread waited.
  blocked_function STRING,
  -- Scheduling state of the thread.
  state STRING
) AS
SELECT
  i.id_0 AS id, i.ts, i.dur, t.utid AS blocking_utid, t.blocked_function, t.state
FROM _interval_intersect!(
  (
    (
      SELECT m.id, m.ts, m.dur, m.blocking_utid AS utid
      FROM android_monitor_contention AS m
      JOIN _first_blocked_contention USING (id)
      WHERE m.dur > 0 AND m.blocking_utid IS NOT NULL
    ),
    (SELECT id, ts, dur, utid FROM _blocking_thread_state)
  ),
  (utid)
) AS i
JOIN thread_state AS t ON t.id = i.id_1;

-- Time of the holder in each scheduling state, by wait.
CREATE PERFETTO VIEW android_monitor_contention_chain_thread_state_by_txn(
  -- Slice of the wait.
  id LONG,
  -- State of the holder.
  thread_state STRING,
  -- Time in the state, ns.
  thread_state_dur DURATION,
  -- Number of times.
  thread_state_count LONG
) AS
SELECT id, state AS thread_state, sum(dur) AS thread_state_dur, count(*) AS thread_state_count
FROM android_monitor_contention_chain_thread_state
GROUP BY id, state;

-- Time of the holder in kernel functions in which it waited, by wait.
CREATE PERFETTO VIEW android_monitor_contention_chain_blocked_functions_by_txn(
  -- Slice of the wait.
  id LONG,
  -- Kernel function in which the thread waited.
  blocked_function STRING,
  -- Time in the function, ns.
  blocked_function_dur DURATION,
  -- Number of times.
  blocked_function_count LONG
) AS
SELECT
  id, blocked_function, sum(dur) AS blocked_function_dur, count(*) AS blocked_function_count
FROM android_monitor_contention_chain_thread_state
WHERE blocked_function IS NOT NULL
GROUP BY id, blocked_function;
