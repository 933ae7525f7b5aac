-- Block devices: requests in flight.

INCLUDE PERFETTO MODULE intervals.overlap;

-- Number of requests that wait in the queue of a block device or are being served by it.
CREATE PERFETTO VIEW linux_active_block_io_operations_by_device(
  -- Time from which the count holds, ns.
  ts LONG,
  -- Number of requests.
  ops_in_queue_or_device LONG,
  -- Number of the device; see linux_device_major_id and linux_device_minor_id.
  dev LONG
) AS
WITH request AS (
  SELECT s.ts, s.dur, extract_arg(t.dimension_arg_set_id, 'block_device') AS dev
  FROM slice AS s
  JOIN track AS t ON s.track_id = t.id
  WHERE t.type = 'block_io'
)
SELECT ts, value AS ops_in_queue_or_device, group_name AS dev
FROM intervals_overlap_count_by_group!(request, ts, dur, dev);

-- Major number of a device.
CREATE PERFETTO FUNCTION linux_device_major_id(
  -- Number of the device.
  dev LONG
)
-- Major number: kind of the device.
RETURNS LONG AS
SELECT $dev >> 20;

-- Minor number of a device.
CREATE PERFETTO FUNCTION linux_device_minor_id(
  -- Number of the device.
  dev LONG
)
-- Minor number: which device of its kind.
RETURNS LONG AS
SELECT $dev & ((1 << 20) - 1);
