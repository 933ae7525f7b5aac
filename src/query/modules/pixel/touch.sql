-- The touch controller of Pixel phones.

INCLUDE PERFETTO MODULE slices.with_context;

-- Slices of the driver that end with the kernel time of the touch: id, ts, dur, track_id, in_ts.
CREATE PERFETTO MACRO _pixel_touch_slices(
  -- Pattern of the names of the slices.
  pattern Expr
)
-- Rows id, ts, dur, track_id, in_ts.
RETURNS TableOrSubquery AS
(
  SELECT
    id, ts, dur, track_id, name,
    cast_int!(regexp_extract(name, 'in_ts=([0-9]+)')) AS in_ts
  FROM thread_slice
  WHERE name GLOB $pattern
);

-- Slices of the processing of a touch by twoshay.
CREATE PERFETTO TABLE _pixel_touch_twoshay_events AS
SELECT
  id, ts, dur, track_id, in_ts,
  cast_int!(regexp_extract(name, 'resample_latency_offset=(-?[0-9]+)')) AS resample_latency_offset
FROM _pixel_touch_slices!('twoshay: *in_ts=*');

-- Bottom halves of the touch interrupt.
CREATE PERFETTO TABLE _pixel_touch_bottom_half_events AS
SELECT id, ts, dur, track_id, in_ts FROM _pixel_touch_slices!('*bh: *in_ts=*');

-- Top halves of the touch interrupt.
CREATE PERFETTO TABLE _pixel_touch_top_half_events AS
SELECT id, ts, dur, track_id, in_ts FROM _pixel_touch_slices!('*th: *in_ts=*');

-- Touches, from the interrupt (top and bottom half) to the processing in user space.
CREATE PERFETTO TABLE pixel_touch_events(
  -- Time of the interrupt by the kernel's clock; key of the touch.
  in_ts LONG,
  -- Start of the top half, ns.
  ts_pixel_touch_th TIMESTAMP,
  -- Duration of the top half, ns.
  dur_pixel_touch_th DURATION,
  -- Slice of the top half.
  id_pixel_touch_th LONG,
  -- Track of the top half.
  track_pixel_touch_th JOINID(track.id),
  -- Start of the bottom half, ns.
  ts_pixel_touch_bh TIMESTAMP,
  -- Duration of the bottom half, ns.
  dur_pixel_touch_bh DURATION,
  -- Slice of the bottom half.
  id_pixel_touch_bh LONG,
  -- Track of the bottom half.
  track_pixel_touch_bh JOINID(track.id),
  -- Start of the processing in user space, ns.
  ts_pixel_touch TIMESTAMP,
  -- Duration of the processing in user space, ns.
  dur_pixel_touch DURATION,
  -- Slice of the processing in user space.
  id_pixel_touch LONG,
  -- Track of the processing in user space.
  track_pixel_touch JOINID(track.id),
  -- Time that resampling adds, ns.
  resample_latency_offset LONG
) AS
SELECT
  u.in_ts,
  th.ts AS ts_pixel_touch_th, th.dur AS dur_pixel_touch_th, th.id AS id_pixel_touch_th,
  th.track_id AS track_pixel_touch_th,
  bh.ts AS ts_pixel_touch_bh, bh.dur AS dur_pixel_touch_bh, bh.id AS id_pixel_touch_bh,
  bh.track_id AS track_pixel_touch_bh,
  u.ts AS ts_pixel_touch, u.dur AS dur_pixel_touch, u.id AS id_pixel_touch,
  u.track_id AS track_pixel_touch, u.resample_latency_offset
FROM _pixel_touch_twoshay_events AS u
LEFT JOIN _pixel_touch_bottom_half_events AS bh USING (in_ts)
LEFT JOIN _pixel_touch_top_half_events AS th USING (in_ts);
