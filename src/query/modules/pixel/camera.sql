-- The camera of Pixel phones.

INCLUDE PERFETTO MODULE android.memory.dmabuf;
INCLUDE PERFETTO MODULE linux.memory.process;
INCLUDE PERFETTO MODULE slices.with_context;

-- The camera pipeline names its slices "cam{CAMERA}_{NODE}:{PORT_GROUP} (frame {FRAME})".
-- Work of the nodes of the camera pipeline for each frame.
CREATE PERFETTO TABLE pixel_camera_frames(
  -- Slice.
  id ID(slice.id),
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Track.
  track_id JOINID(track.id),
  -- Thread.
  utid JOINID(thread.id),
  -- Name of the thread.
  thread_name STRING,
  -- Node of the pipeline.
  node STRING,
  -- Group of ports of the node.
  port_group STRING,
  -- Number of the frame.
  frame_number LONG,
  -- Number of the camera.
  cam_id LONG
) AS
WITH parsed AS (
  SELECT
    id, ts, dur, track_id, utid, thread_name,
    regexp_extract(name, '^cam[0-9]+_([^:]*):') AS node,
    regexp_extract(name, '^cam[0-9]+_[^:]*:([^ ]*)') AS port_group,
    regexp_extract(name, '\(frame ([0-9]+)\)') AS frame_number,
    regexp_extract(name, '^cam([0-9]+)_') AS cam_id
  FROM thread_slice
  WHERE name GLOB 'cam[0-9]*_*:* (frame *)'
)
SELECT
  id, ts, dur, track_id, utid, thread_name, node, port_group,
  cast_int!(frame_number) AS frame_number, cast_int!(cam_id) AS cam_id
FROM parsed;

-- Memory of the camera application.
CREATE PERFETTO VIEW _rss_gca AS
SELECT ts, dur, anon_rss + coalesce(file_rss, 0) + coalesce(shmem_rss, 0) AS gca_rss
FROM memory_rss_and_swap_per_process
WHERE upid = (
  SELECT max(upid) FROM process WHERE name GLOB '*GoogleCamera' OR name GLOB '*googlecamera.fishfood'
);

-- Memory of the hardware abstraction of the camera.
CREATE PERFETTO VIEW _rss_camera_hal AS
SELECT ts, dur, anon_rss + coalesce(file_rss, 0) + coalesce(shmem_rss, 0) AS hal_rss
FROM memory_rss_and_swap_per_process
WHERE upid = (SELECT max(upid) FROM process WHERE name GLOB '*camera.provider@*' OR name GLOB '*camera.provider-service*');

-- Memory of the camera server.
CREATE PERFETTO VIEW _rss_cameraserver AS
SELECT ts, dur, anon_rss + coalesce(file_rss, 0) + coalesce(shmem_rss, 0) AS cameraserver_rss
FROM memory_rss_and_swap_per_process
WHERE upid = (SELECT max(upid) FROM process WHERE name = 'cameraserver' OR name GLOB '*/cameraserver');

-- Memory of DMA buffers.
CREATE PERFETTO VIEW _dma_span AS
SELECT
  c.ts, lead(c.ts, 1, trace_end()) OVER (PARTITION BY c.track_id ORDER BY c.ts) - c.ts AS dur,
  cast_int!(c.value) AS dma
FROM counter AS c
JOIN counter_track AS t ON c.track_id = t.id
WHERE t.name = 'mem.dma_heap';

-- Memory of the camera's processes and of DMA buffers, from the first sample of all of them.
CREATE PERFETTO TABLE pixel_camera_memory_span(
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Resident memory of the camera application, bytes.
  gca_rss LONG,
  -- Resident memory of the hardware abstraction, bytes.
  hal_rss LONG,
  -- Resident memory of the camera server, bytes.
  cameraserver_rss LONG,
  -- DMA buffers, bytes.
  dma LONG,
  -- Sum, bytes.
  rss_and_dma LONG
) AS
WITH sample AS (
  SELECT ts, gca_rss, NULL AS hal_rss, NULL AS cameraserver_rss, NULL AS dma FROM _rss_gca
  UNION ALL
  SELECT ts, NULL, hal_rss, NULL, NULL FROM _rss_camera_hal
  UNION ALL
  SELECT ts, NULL, NULL, cameraserver_rss, NULL FROM _rss_cameraserver
  UNION ALL
  SELECT ts, NULL, NULL, NULL, dma FROM _dma_span
),
merged AS (
  SELECT
    ts, max(gca_rss) AS gca_rss, max(hal_rss) AS hal_rss,
    max(cameraserver_rss) AS cameraserver_rss, max(dma) AS dma
  FROM sample
  GROUP BY ts
),
filled AS (
  SELECT
    ts, lead(ts, 1, trace_end()) OVER so_far - ts AS dur,
    last_non_null(gca_rss) OVER so_far AS gca_rss,
    last_non_null(hal_rss) OVER so_far AS hal_rss,
    last_non_null(cameraserver_rss) OVER so_far AS cameraserver_rss,
    last_non_null(dma) OVER so_far AS dma
  FROM merged
  WINDOW so_far AS (ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
)
SELECT
  ts, dur, gca_rss, hal_rss, cameraserver_rss, dma,
  gca_rss + hal_rss + cameraserver_rss + dma AS rss_and_dma
FROM filled
WHERE gca_rss IS NOT NULL AND hal_rss IS NOT NULL AND cameraserver_rss IS NOT NULL
  AND dma IS NOT NULL;
