-- Work of the GPU for users of Android.

-- Tracks of work periods, one for each GPU and user. Their slices are in slice.
CREATE PERFETTO VIEW android_gpu_work_period_track(
  -- Track.
  id LONG,
  -- Name of the track.
  name STRING,
  -- Kind of the track.
  type STRING,
  -- Track around it.
  parent_id JOINID(track.id),
  -- Args of the track.
  source_arg_set_id ARGSETID,
  -- Machine that the GPU belongs to.
  machine_id JOINID(machine.id),
  -- User id.
  uid LONG,
  -- Number of the GPU, as the driver counts them.
  gpu_id LONG
) AS
SELECT
  id, name, type, parent_id, source_arg_set_id, machine_id,
  extract_arg(dimension_arg_set_id, 'uid') AS uid,
  extract_arg(dimension_arg_set_id, 'gpu') AS gpu_id
FROM track
WHERE type = 'android_gpu_work_period';
