-- Journeys of users in the system's interface (CUJ): animations and waits that the system measures.

INCLUDE PERFETTO MODULE slices.with_context;

-- Tracks with markers of latency journeys: slices `L<NAME>`.
CREATE PERFETTO TABLE _latency_cuj_tracks AS
SELECT DISTINCT track_id
FROM process_slice
WHERE name GLOB 'L<*>'
ORDER BY track_id;

-- Markers of the state of journeys: cuj_slice_name, upid, ts, state.
CREATE PERFETTO TABLE _latency_cuj_markers AS
SELECT
  s.upid, s.ts, s.id, t.name AS track_name,
  CASE s.name
    WHEN 'FT#cancel' THEN 'canceled'
    WHEN 'FT#end' THEN 'completed'
    ELSE iif(s.name GLOB '*#cancel*', 'canceled', 'completed')
  END AS state
FROM process_slice AS s
JOIN track AS t ON s.track_id = t.id
WHERE s.name GLOB '*FT#cancel*' OR s.name GLOB '*FT#end*';

-- Slices J<NAME> (animations) and L<NAME> (waits) of processes.
CREATE PERFETTO TABLE _cuj_slice AS
SELECT
  s.id AS slice_id, s.upid, s.process_name, s.name AS cuj_slice_name,
  substr(s.name, 3, length(s.name) - 3) AS cuj_name, s.ts, s.dur, s.ts + s.dur AS ts_end,
  s.name GLOB 'J<*' AS is_jank
FROM process_slice AS s
WHERE (s.name GLOB 'J<*>' OR s.name GLOB 'L<*>') AND s.dur > 0
ORDER BY s.ts;

-- Marks on the track of a journey that end it: slice_id, state, and numbers of its frames.
CREATE PERFETTO TABLE _cuj_outcome AS
SELECT
  c.slice_id,
  max(m.name GLOB '*FT#cancel*') AS is_canceled,
  max(m.name GLOB '*FT#end*') AS is_completed,
  max(cast_int!(regexp_extract(m.name, 'FT#layerId#([0-9]+)'))) AS layer_id,
  max(cast_int!(regexp_extract(m.name, 'FT#beginVsync#([0-9]+)'))) AS begin_vsync,
  max(cast_int!(regexp_extract(m.name, 'FT#endVsync#([0-9]+)'))) AS end_vsync,
  max(cast_int!(regexp_extract(m.name, 'UIThread#([0-9]+)|FT#UIThread#([0-9]+)'))) AS ui_tid
FROM _cuj_slice AS c
JOIN slice AS s ON s.id = c.slice_id
JOIN process_slice AS m
  ON m.upid = c.upid AND m.ts >= c.ts AND m.ts <= c.ts_end AND m.name GLOB '*FT#*'
JOIN track AS t ON t.id = m.track_id AND t.name = c.cuj_slice_name
GROUP BY c.slice_id;

-- Journeys of the user interface that are animations, which can drop frames: slices `J<NAME>`.
CREATE PERFETTO TABLE android_sysui_jank_cujs(
  -- Number of the journey, by time.
  cuj_id LONG,
  -- Process.
  upid JOINID(process.id),
  -- Name of the process.
  process_name STRING,
  -- Name of the slice, with its prefix.
  cuj_slice_name STRING,
  -- Name of the journey.
  cuj_name STRING,
  -- Slice.
  slice_id JOINID(slice.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- End, ns.
  ts_end TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- completed, canceled or NULL if the trace does not tell.
  state STRING,
  -- Thread that draws the animation.
  ui_thread JOINID(thread.id),
  -- Number of the layer.
  layer_id LONG,
  -- First frame.
  begin_vsync LONG,
  -- Last frame.
  end_vsync LONG
) AS
WITH main_thread AS (
  SELECT upid, min(utid) AS utid FROM thread WHERE is_main_thread GROUP BY upid
)
SELECT
  row_number() OVER (ORDER BY c.ts) AS cuj_id, c.upid, c.process_name, c.cuj_slice_name, c.cuj_name,
  c.slice_id, c.ts, c.ts_end, c.dur,
  CASE WHEN o.is_canceled THEN 'canceled' WHEN o.is_completed THEN 'completed' END AS state,
  m.utid AS ui_thread, o.layer_id, o.begin_vsync, o.end_vsync
FROM _cuj_slice AS c
LEFT JOIN _cuj_outcome AS o USING (slice_id)
LEFT JOIN main_thread AS m ON m.upid = c.upid
WHERE c.is_jank
ORDER BY c.ts;

-- Journeys of the user interface that are waits for a reaction: slices `L<NAME>`.
CREATE PERFETTO TABLE android_sysui_latency_cujs(
  -- Journey.
  cuj_id LONG,
  -- Process.
  upid JOINID(process.id),
  -- Name of the process.
  process_name STRING,
  -- Name of the slice, with its prefix.
  cuj_slice_name STRING,
  -- Name of the journey.
  cuj_name STRING,
  -- Slice.
  slice_id JOINID(slice.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- End, ns.
  ts_end TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- completed, canceled or NULL if the trace does not tell.
  state STRING
) AS
SELECT
  row_number() OVER (ORDER BY c.ts) AS cuj_id, c.upid, c.process_name, c.cuj_slice_name, c.cuj_name,
  c.slice_id, c.ts, c.ts_end, c.dur,
  CASE WHEN o.is_canceled THEN 'canceled' WHEN o.is_completed THEN 'completed' END AS state
FROM _cuj_slice AS c
LEFT JOIN _cuj_outcome AS o USING (slice_id)
WHERE NOT c.is_jank
ORDER BY c.ts;

-- The journeys of both kinds: animations and waits.
CREATE PERFETTO TABLE android_jank_latency_cujs(
  -- Number of the journey.
  cuj_id LONG,
  -- Same as cuj_id.
  id LONG,
  -- Process.
  upid JOINID(process.id),
  -- Name of the process.
  process_name STRING,
  -- Name of the slice, with its prefix.
  cuj_slice_name STRING,
  -- Name of the journey.
  cuj_name STRING,
  -- Slice.
  slice_id JOINID(slice.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- End, ns.
  ts_end TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- completed, canceled or NULL if the trace does not tell.
  state STRING,
  -- Thread that draws the animation.
  ui_thread JOINID(thread.id),
  -- Number of the layer.
  layer_id LONG,
  -- First frame.
  begin_vsync LONG,
  -- Last frame.
  end_vsync LONG,
  -- jank for an animation, latency for a wait.
  cuj_type STRING
) AS
WITH journey AS (
  SELECT
    upid, process_name, cuj_slice_name, cuj_name, slice_id, ts, ts_end, dur, state, ui_thread,
    layer_id, begin_vsync, end_vsync, 'jank' AS cuj_type
  FROM android_sysui_jank_cujs
  UNION ALL
  SELECT
    l.upid, l.process_name, l.cuj_slice_name, l.cuj_name, l.slice_id, l.ts, l.ts_end, l.dur,
    l.state, m.utid, NULL, NULL, NULL, 'latency'
  FROM android_sysui_latency_cujs AS l
  LEFT JOIN (
    SELECT upid, min(utid) AS utid FROM thread WHERE is_main_thread GROUP BY upid
  ) AS m ON m.upid = l.upid
)
SELECT
  row_number() OVER (ORDER BY ts, slice_id) AS cuj_id, row_number() OVER (ORDER BY ts, slice_id) AS id,
  upid, process_name, cuj_slice_name, cuj_name, slice_id, ts, ts_end, dur, state, ui_thread,
  layer_id, begin_vsync, end_vsync, cuj_type
FROM journey
ORDER BY ts;

-- Slices of the UI thread that can block frames, within journeys and cut to them.
CREATE PERFETTO TABLE android_cuj_blocking_calls(
  -- Slice.
  slice_id JOINID(slice.id),
  -- Name of the slice without its varying parts.
  name STRING,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- End, ns.
  ts_end TIMESTAMP,
  -- Number of the journey.
  cuj_id LONG,
  -- Name of the journey.
  cuj_name STRING,
  -- Name of the process.
  process_name STRING,
  -- Process.
  upid JOINID(process.id),
  -- Thread.
  utid JOINID(thread.id)
) AS
SELECT
  s.id AS slice_id,
  iif(instr(s.name, ' ') > 0 AND s.name GLOB '*[0-9]*', substr(s.name, 1, instr(s.name, ' ') - 1), s.name)
    AS name,
  max(s.ts, c.ts) AS ts, min(s.ts + s.dur, c.ts_end) - max(s.ts, c.ts) AS dur,
  min(s.ts + s.dur, c.ts_end) AS ts_end, c.cuj_id, c.cuj_name, s.process_name, s.upid, s.utid
FROM android_jank_latency_cujs AS c
JOIN thread_slice AS s ON s.utid = c.ui_thread AND s.ts < c.ts_end AND s.ts + s.dur > c.ts
WHERE s.dur > 0 AND (
  s.name GLOB 'binder transaction*' OR s.name GLOB 'monitor contention*'
  OR s.name GLOB 'Lock contention*' OR s.name GLOB 'inflate*' OR s.name GLOB 'measure*'
  OR s.name GLOB 'layout*' OR s.name GLOB '*CancellableContinuationImpl*'
  OR s.name GLOB 'ImageDecoder*' OR s.name GLOB 'NotificationStackScrollLayout*'
  OR s.name GLOB 'relayoutWindow*' OR s.name GLOB 'Choreographer#doFrame*'
  OR s.name GLOB 'GC: Wait For*' OR s.name GLOB 'configChanged*' OR s.name GLOB 'addView*'
);
