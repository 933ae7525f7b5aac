-- Kinds of jank of the frame timeline: who is the cause.

-- 1 if SurfaceFlinger or the display caused the jank.
CREATE PERFETTO FUNCTION android_is_sf_jank_type(
  -- Kind of jank, of actual_frame_timeline_slice.
  jank_type STRING
)
-- 1 or 0.
RETURNS BOOL AS
SELECT
  $jank_type GLOB '*SurfaceFlinger CPU Deadline Missed*'
  OR $jank_type GLOB '*SurfaceFlinger GPU Deadline Missed*'
  OR $jank_type GLOB '*SurfaceFlinger Scheduling*'
  OR $jank_type GLOB '*Prediction Error*'
  OR $jank_type GLOB '*Display HAL*';

-- 1 if the application caused the jank.
CREATE PERFETTO FUNCTION android_is_app_jank_type(
  -- Kind of jank, of actual_frame_timeline_slice.
  jank_type STRING
)
-- 1 or 0.
RETURNS BOOL AS
SELECT
  $jank_type GLOB '*App Deadline Missed*'
  OR $jank_type GLOB '*App Resynced Jitter*'
  OR $jank_type GLOB '*Buffer Stuffing*';

-- The cause of a jank: App, SurfaceFlinger, or the kind itself; NULL for frames without jank.
CREATE PERFETTO FUNCTION _android_jank_cause(
  -- Kind of jank, of actual_frame_timeline_slice.
  jank_type STRING
)
-- Text.
RETURNS STRING AS
SELECT CASE
  WHEN $jank_type IS NULL OR $jank_type = 'None' THEN NULL
  WHEN android_is_app_jank_type($jank_type) THEN 'App'
  WHEN android_is_sf_jank_type($jank_type) THEN 'SurfaceFlinger'
  ELSE $jank_type
END;
