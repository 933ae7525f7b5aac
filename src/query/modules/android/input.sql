-- Input events of Android: dispatch by the system, delivery to a window, the frame that shows the effect.
--
-- The input library writes slices sendMessage(inputChannel=CHANNEL, seq=0xN, type=T) and
-- receiveMessage(...) of the same form. The dispatcher sends an event, the application receives it,
-- handles it, and sends T = FINISHED, which the dispatcher receives.

INCLUDE PERFETTO MODULE android.frames.timeline;
INCLUDE PERFETTO MODULE intervals.intersect;
INCLUDE PERFETTO MODULE slices.with_context;

-- A channel without the address of its window: "[Gesture Monitor] x" and "1a2b3c com.app/Activity"
-- become "[Gesture Monitor] x" and "com.app/Activity".
CREATE PERFETTO FUNCTION _normalize_event_channel(
  -- Name of the channel.
  event_channel STRING
)
-- Name that is the same in all traces.
RETURNS STRING AS
SELECT iif(
  regexp('^[0-9a-f]{4,16} ', $event_channel),
  substr($event_channel, instr($event_channel, ' ') + 1),
  $event_channel
);

-- Messages that are sent: slices with event_channel, event_seq, event_type.
CREATE PERFETTO TABLE _input_message_sent AS
SELECT
  id, ts, dur, track_id, utid, tid, thread_name, upid, pid, process_name, parent_id,
  regexp_extract(name, 'inputChannel=(.*), seq=') AS event_channel,
  regexp_extract(name, 'seq=([^,)]*)') AS event_seq,
  regexp_extract(name, 'type=([^,)]*)') AS event_type
FROM thread_slice
WHERE name GLOB 'sendMessage(*'
ORDER BY ts;

-- Messages that are received: the same columns.
CREATE PERFETTO TABLE _input_message_received AS
SELECT
  id, ts, dur, track_id, utid, tid, thread_name, upid, pid, process_name,
  regexp_extract(name, 'inputChannel=(.*), seq=') AS event_channel,
  regexp_extract(name, 'seq=([^,)]*)') AS event_seq,
  regexp_extract(name, 'type=([^,)]*)') AS event_type
FROM thread_slice
WHERE name GLOB 'receiveMessage(*'
ORDER BY ts;

-- When the reader passed an event to the dispatcher: id, ts, dur, track_id of the slice, and
-- input_event_id.
CREATE PERFETTO TABLE _input_read_time AS
SELECT
  id, ts, dur, track_id, regexp_extract(name, 'id=(0x[0-9a-f]+)') AS input_event_id
FROM slice
WHERE name GLOB 'UnwantedInteractionBlocker::notifyMotion*id=0x*'
  OR name GLOB 'UnwantedInteractionBlocker::notifyKey*id=0x*'
ORDER BY ts;

-- The event of each message of the dispatcher: an outer slice names it (id=0xN).
CREATE PERFETTO TABLE _event_seq_to_input_event_id AS
SELECT sent_id, event_channel, event_seq, event_type, input_event_id
FROM (
  SELECT
    s.id AS sent_id, s.event_channel, s.event_seq, s.event_type,
    regexp_extract(a.name, 'id=(0x[0-9a-f]+)') AS input_event_id,
    row_number() OVER (PARTITION BY s.id ORDER BY a.depth DESC) AS distance
  FROM _input_message_sent AS s
  JOIN ancestor_slice(s.id) AS a
  WHERE s.event_type != 'FINISHED' AND a.name GLOB '*id=0x*'
)
WHERE distance = 1;

-- Frames of applications: frame_id, upid, utid of the UI thread, ts, dur of doFrame, do_frame_id.
CREATE PERFETTO TABLE _clean_android_frames AS
SELECT f.frame_id, f.upid, f.ui_thread_utid AS utid, s.id AS do_frame_id, s.ts, s.dur
FROM android_frames_choreographer_do_frame AS f
JOIN slice AS s ON s.id = f.id
WHERE s.dur >= 0
ORDER BY s.ts;

-- Deliveries to views: slices deliverInputEvent src=S eventTimeNano=T id=0xN.
CREATE PERFETTO TABLE _clean_deliver_events AS
SELECT
  id, ts, iif(dur < 0, trace_end() - ts, dur) AS dur, track_id, utid, upid,
  regexp_extract(name, 'id=(0x[0-9a-f]+)') AS input_event_id,
  cast_int!(regexp_extract(name, 'eventTimeNano=([0-9]+)')) AS event_time,
  regexp_extract(name, 'action=([A-Z_]+)') AS event_action
FROM thread_slice
WHERE name GLOB 'deliverInputEvent*id=0x*'
ORDER BY ts;

-- Deliveries inside of frames of the same thread.
CREATE PERFETTO TABLE _input_event_frame_intersections AS
SELECT i.id_0 AS deliver_id, f.frame_id, f.do_frame_id, f.upid, f.ts AS frame_ts
FROM _interval_intersect!(
  (_clean_deliver_events, (SELECT do_frame_id AS id, ts, dur, utid FROM _clean_android_frames)),
  (utid)
) AS i
JOIN _clean_android_frames AS f ON f.do_frame_id = i.id_1
GROUP BY i.id_0
HAVING f.ts = min(f.ts);

-- Deliveries outside of frames.
CREATE PERFETTO TABLE _input_events_pending_frame_match AS
SELECT d.id AS deliver_id, d.ts, d.upid, d.utid
FROM _clean_deliver_events AS d
LEFT JOIN _input_event_frame_intersections AS i ON i.deliver_id = d.id
WHERE i.deliver_id IS NULL
ORDER BY d.ts;

-- The next frame of the thread after each delivery outside of frames. It likely shows the effect.
CREATE PERFETTO TABLE _input_event_frame_speculative_matches AS
SELECT deliver_id, frame_id, do_frame_id, upid, frame_ts
FROM (
  SELECT
    d.deliver_id, f.frame_id, f.do_frame_id, f.upid, f.ts AS frame_ts,
    row_number() OVER (PARTITION BY d.deliver_id ORDER BY f.ts) AS number
  FROM _input_events_pending_frame_match AS d
  JOIN _clean_android_frames AS f ON f.utid = d.utid AND f.ts >= d.ts
    AND f.ts < d.ts + 1000000000
)
WHERE number = 1;

-- The frame of each delivery, and whether it is a guess.
CREATE PERFETTO TABLE _input_event_frame_association AS
SELECT deliver_id, frame_id, do_frame_id, upid, frame_ts, 0 AS is_speculative_frame
FROM _input_event_frame_intersections
UNION ALL
SELECT deliver_id, frame_id, do_frame_id, upid, frame_ts, 1
FROM _input_event_frame_speculative_matches;

-- The frame of each event in each process: the first.
CREATE PERFETTO TABLE _input_event_id_to_android_frame AS
SELECT
  d.input_event_id, d.upid, d.event_time, d.event_action, d.id AS deliver_id, d.ts AS deliver_ts,
  d.dur AS deliver_dur, d.track_id AS deliver_track_id, a.frame_id, a.do_frame_id,
  a.is_speculative_frame
FROM _clean_deliver_events AS d
LEFT JOIN _input_event_frame_association AS a ON a.deliver_id = d.id
GROUP BY d.input_event_id, d.upid
HAVING d.ts = min(d.ts)
ORDER BY d.input_event_id;

-- When the display shows a frame of an application: the end of the frame of SurfaceFlinger that has
-- the same display token.
CREATE PERFETTO TABLE _app_frame_to_surface_flinger_frame AS
SELECT
  app.surface_frame_token AS app_vsync_id, app.upid, app.id AS app_frame_id,
  min(sf.ts) AS sf_ts, max(sf.ts + sf.dur) AS present_ts, app.present_type
FROM actual_frame_timeline_slice AS app
JOIN actual_frame_timeline_slice AS sf ON sf.display_frame_token = app.display_frame_token
  AND sf.surface_frame_token IS NULL
WHERE app.surface_frame_token IS NOT NULL AND sf.dur >= 0
GROUP BY app.id;

-- The first frame that was shown at or after the frame of an event.
CREATE PERFETTO TABLE _first_non_dropped_frame_after_input AS
SELECT i.input_event_id, i.upid, i.frame_id, min(a.present_ts) AS present_ts
FROM _input_event_id_to_android_frame AS i
JOIN _app_frame_to_surface_flinger_frame AS a
  ON a.upid = i.upid AND a.app_vsync_id >= i.frame_id AND a.app_vsync_id < i.frame_id + 1000
WHERE a.present_type != 'Dropped Frame'
GROUP BY i.input_event_id, i.upid;

-- Events that the system dispatched and the application handled.
CREATE PERFETTO TABLE android_input_events(
  -- From the dispatch to the application, ns.
  dispatch_latency_dur DURATION,
  -- From the receipt in the application to the end of its work, ns.
  handling_latency_dur DURATION,
  -- From the end of the work to the receipt of FINISHED by the dispatcher, ns.
  ack_latency_dur DURATION,
  -- From the dispatch to the receipt of FINISHED, ns.
  total_latency_dur DURATION,
  -- From the read of the event to the display of its frame, ns.
  end_to_end_latency_dur DURATION,
  -- Thread number of the operating system of the receiver.
  tid LONG,
  -- Name of the thread.
  thread_name STRING,
  -- Process of the receiver.
  upid JOINID(process.upid),
  -- Process number of the operating system.
  pid LONG,
  -- Name of the process.
  process_name STRING,
  -- MOTION, KEY, FOCUS ...
  event_type STRING,
  -- Action, such as MOVE.
  event_action STRING,
  -- Number of the message on its channel.
  event_seq STRING,
  -- Name of the channel that delivers the event to its window.
  event_channel STRING,
  -- Channel without the address of its window.
  normalized_event_channel STRING,
  -- Number of the event.
  input_event_id STRING,
  -- When the reader read the event, ns.
  read_time TIMESTAMP,
  -- Track of the dispatch.
  dispatch_track_id JOINID(track.id),
  -- Time of the dispatch, ns.
  dispatch_ts TIMESTAMP,
  -- Duration of the dispatch, ns.
  dispatch_dur DURATION,
  -- Track of the receipt.
  receive_track_id JOINID(track.id),
  -- Time of the receipt, ns.
  receive_ts TIMESTAMP,
  -- Duration of the receipt, ns.
  receive_dur DURATION,
  -- Number of the frame that shows the effect.
  frame_id LONG,
  -- 1 if the frame is a guess: the first one after the delivery.
  is_speculative_frame BOOL,
  -- Time of the event by the kernel, ns of trace time; that of the read if not known.
  event_time TIMESTAMP
) AS
WITH
  -- A number is used again after some time, so each step is the nearest one behind the one before.
  received AS (
    SELECT d.id AS dispatch_id, min(r.ts) AS receive_ts, r.id AS receive_id
    FROM _input_message_sent AS d
    JOIN _input_message_received AS r
      ON r.event_channel = d.event_channel AND r.event_seq = d.event_seq
      AND r.event_type = d.event_type AND r.ts >= d.ts
    WHERE d.event_type != 'FINISHED'
    GROUP BY d.id
  ),
  finished AS (
    SELECT received.*, min(f.ts) AS finish_ts, f.id AS finish_id
    FROM received
    JOIN _input_message_received AS r ON r.id = received.receive_id
    JOIN _input_message_sent AS f
      ON f.event_channel = r.event_channel AND f.event_seq = r.event_seq
      AND f.event_type = 'FINISHED' AND f.ts >= r.ts
    GROUP BY received.dispatch_id
  ),
  acknowledged AS (
    SELECT finished.*, min(a.ts) AS ack_ts
    FROM finished
    JOIN _input_message_sent AS f ON f.id = finished.finish_id
    JOIN _input_message_received AS a
      ON a.event_channel = f.event_channel AND a.event_seq = f.event_seq
      AND a.event_type = 'FINISHED' AND a.ts >= f.ts
    GROUP BY finished.dispatch_id
  )
SELECT
  k.receive_ts - d.ts AS dispatch_latency_dur,
  k.finish_ts - k.receive_ts AS handling_latency_dur,
  k.ack_ts - k.finish_ts AS ack_latency_dur,
  k.ack_ts - d.ts AS total_latency_dur,
  shown.present_ts - read.ts AS end_to_end_latency_dur,
  f.tid, f.thread_name, f.upid, f.pid, f.process_name, d.event_type,
  frame.event_action, d.event_seq, d.event_channel,
  _normalize_event_channel(d.event_channel) AS normalized_event_channel,
  e.input_event_id, read.ts AS read_time, d.track_id AS dispatch_track_id, d.ts AS dispatch_ts,
  d.dur AS dispatch_dur, r.track_id AS receive_track_id, r.ts AS receive_ts,
  r.dur AS receive_dur, frame.frame_id, frame.is_speculative_frame,
  coalesce(
    trace_start() + frame.event_time - to_monotonic(trace_start()), read.ts
  ) AS event_time
FROM acknowledged AS k
JOIN _input_message_sent AS d ON d.id = k.dispatch_id
JOIN _input_message_received AS r ON r.id = k.receive_id
JOIN _input_message_sent AS f ON f.id = k.finish_id
LEFT JOIN _event_seq_to_input_event_id AS e ON e.sent_id = d.id
LEFT JOIN (SELECT input_event_id, min(ts) AS ts FROM _input_read_time GROUP BY input_event_id) AS read
  ON read.input_event_id = e.input_event_id
LEFT JOIN _input_event_id_to_android_frame AS frame
  ON frame.input_event_id = e.input_event_id AND frame.upid = f.upid
LEFT JOIN _first_non_dropped_frame_after_input AS shown
  ON shown.input_event_id = e.input_event_id AND shown.upid = f.upid
ORDER BY d.ts;

-- Key events, by the input trace of the system.
CREATE PERFETTO VIEW android_key_events(
  -- Row number.
  id LONG,
  -- Number of the event.
  event_id LONG,
  -- Time, ns.
  ts TIMESTAMP,
  -- Args of the event.
  arg_set_id ARGSETID,
  -- Kind of input device.
  source LONG,
  -- Action of the key event: 0 down, 1 up, 2 several.
  action LONG,
  -- Number of the input device.
  device_id LONG,
  -- Number of the display that the event is for.
  display_id LONG,
  -- Code of the key, as Android numbers them.
  key_code LONG
) AS
SELECT id, event_id, ts, arg_set_id, source, action, device_id, display_id, key_code
FROM __intrinsic_android_key_events;

-- Motion events, by the input trace of the system.
CREATE PERFETTO VIEW android_motion_events(
  -- Row number.
  id LONG,
  -- Number of the event.
  event_id LONG,
  -- Time, ns.
  ts TIMESTAMP,
  -- Args of the event.
  arg_set_id ARGSETID,
  -- Kind of input device.
  source LONG,
  -- Action of the motion event: 0 down, 1 up, 2 move, 3 cancel ...; bits 8 to 15 number the pointer.
  action LONG,
  -- Number of the input device.
  device_id LONG,
  -- Number of the display that the event is for.
  display_id LONG
) AS
SELECT id, event_id, ts, arg_set_id, source, action, device_id, display_id
FROM __intrinsic_android_motion_events;

-- Dispatches of events to windows, by the input trace of the system.
CREATE PERFETTO VIEW android_input_event_dispatch(
  -- Row number.
  id LONG,
  -- Number of the event.
  event_id LONG,
  -- Args of the dispatch.
  arg_set_id ARGSETID,
  -- Vsync of the window state that the dispatcher used.
  vsync_id LONG,
  -- Number of the window that gets the event.
  window_id LONG
) AS
SELECT id, event_id, arg_set_id, vsync_id, window_id
FROM __intrinsic_android_input_event_dispatch;

-- The first delivery of each event in each process.
CREATE PERFETTO TABLE _input_consumers_lookup AS
SELECT
  deliver_id AS consume_id, deliver_ts AS consume_ts, deliver_dur AS consume_dur,
  deliver_track_id AS consume_track_id, input_event_id, upid
FROM _input_event_id_to_android_frame;

-- doFrame slices by the frame of applications.
CREATE PERFETTO TABLE _frame_choreographer_lookup AS
SELECT frame_id, upid, min(do_frame_id) AS do_frame_id
FROM _clean_android_frames
GROUP BY frame_id, upid;

-- Frames of SurfaceFlinger that show frames of applications.
CREATE PERFETTO TABLE _input_sf_composite AS
SELECT app_vsync_id, upid, min(sf_ts) AS sf_ts, min(present_ts) AS present_ts
FROM _app_frame_to_surface_flinger_frame
GROUP BY app_vsync_id, upid;

-- The frame of SurfaceFlinger of each event.
CREATE PERFETTO TABLE _input_sf_resolved AS
SELECT i.input_event_id, i.upid, i.frame_id, s.sf_ts, s.present_ts
FROM _input_event_id_to_android_frame AS i
JOIN _input_sf_composite AS s ON s.app_vsync_id = i.frame_id AND s.upid = i.upid;

-- Events with their frames: of the application and of SurfaceFlinger.
CREATE PERFETTO VIEW _android_input_frames AS
SELECT
  e.input_event_id, e.upid, e.event_channel, e.dispatch_ts, e.receive_ts, e.frame_id,
  e.is_speculative_frame, c.do_frame_id, s.sf_ts, s.present_ts
FROM android_input_events AS e
LEFT JOIN _frame_choreographer_lookup AS c ON c.frame_id = e.frame_id AND c.upid = e.upid
LEFT JOIN _input_sf_resolved AS s ON s.input_event_id = e.input_event_id AND s.upid = e.upid;

-- The steps of the event that a slice belongs to: the read, the dispatch, the receipt or the
-- delivery.
CREATE PERFETTO FUNCTION _android_input_lifecycle_by_slice_id(
  -- Slice of one of the steps.
  slice_id LONG
)
RETURNS TABLE(
  -- Number of the event.
  input_id STRING,
  -- Channel.
  channel STRING,
  -- From the dispatch to the receipt of FINISHED, ns.
  total_latency LONG,
  -- When the reader read the event, ns.
  ts_reader LONG,
  -- Time of the dispatch, ns.
  ts_dispatch LONG,
  -- Time of the receipt, ns.
  ts_receive LONG,
  -- Time of the delivery, ns.
  ts_consume LONG,
  -- Slice of the reader.
  id_reader LONG,
  -- Its track.
  track_reader LONG,
  -- Its duration, ns.
  dur_reader LONG,
  -- Slice of the dispatch.
  id_dispatch LONG,
  -- Its track.
  track_dispatch LONG,
  -- Its duration, ns.
  dur_dispatch LONG,
  -- Slice of the receipt.
  id_receive LONG,
  -- Its track.
  track_receive LONG,
  -- Its duration, ns.
  dur_receive LONG,
  -- Slice of the delivery.
  id_consume LONG,
  -- Its track.
  track_consume LONG,
  -- Its duration, ns.
  dur_consume LONG,
  -- 1 if the frame is a guess.
  is_speculative_frame BOOL
) AS
SELECT
  e.input_event_id AS input_id, e.event_channel AS channel, e.total_latency_dur AS total_latency,
  read.ts AS ts_reader, e.dispatch_ts AS ts_dispatch, e.receive_ts AS ts_receive,
  c.consume_ts AS ts_consume, read.id AS id_reader, read.track_id AS track_reader,
  read.dur AS dur_reader, sent.id AS id_dispatch, e.dispatch_track_id AS track_dispatch,
  e.dispatch_dur AS dur_dispatch, received.id AS id_receive, e.receive_track_id AS track_receive,
  e.receive_dur AS dur_receive, c.consume_id AS id_consume, c.consume_track_id AS track_consume,
  c.consume_dur AS dur_consume, e.is_speculative_frame
FROM android_input_events AS e
JOIN _input_message_sent AS sent
  ON sent.ts = e.dispatch_ts AND sent.event_channel = e.event_channel AND sent.event_seq = e.event_seq
JOIN _input_message_received AS received
  ON received.ts = e.receive_ts AND received.event_channel = e.event_channel
  AND received.event_seq = e.event_seq
LEFT JOIN _input_read_time AS read ON read.input_event_id = e.input_event_id
LEFT JOIN _input_consumers_lookup AS c
  ON c.input_event_id = e.input_event_id AND c.upid = e.upid
WHERE $slice_id IN (read.id, sent.id, received.id, c.consume_id);
