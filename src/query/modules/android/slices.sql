-- Names of slices without their varying parts.

-- Name of a slice without the number of a lambda.
CREATE PERFETTO FUNCTION _remove_lambda_name(
  -- Name of the slice.
  name STRING
)
-- Name with the number replaced.
RETURNS STRING AS
SELECT regexp_replace_simple(
  regexp_replace_simple($name, '\$\$ExternalSyntheticLambda[0-9]+', '$$ExternalSyntheticLambda<...>'),
  'Lambda\$[0-9]+', 'Lambda<...>'
);

-- Name of a slice of a wakelock, without the wakelock.
CREATE PERFETTO FUNCTION _standardize_wakelock_slice_name(
  -- Name of the slice.
  name STRING
)
-- Wakelock<...> for wakelocks, else the name.
RETURNS STRING AS
SELECT iif($name GLOB 'Wakelock(*' OR $name GLOB 'wakelock(*', 'Wakelock(<...>)', $name);

-- Name of a slice of a frame, without the number of the frame.
CREATE PERFETTO FUNCTION _standardize_vsync_slice_name(
  -- Name of the slice.
  name STRING
)
-- Name without the number.
RETURNS STRING AS
SELECT regexp_replace_simple(
  $name, '^(.*[a-zA-Z]) (vsync )?-?[0-9]+( .*)?$', '\1 <num>'
);

-- Name of a slice without numbers, addresses and other varying parts, for grouping.
CREATE PERFETTO FUNCTION android_standardize_slice_name(
  -- Name of the slice.
  name STRING
)
-- Name for grouping; NULL for NULL.
RETURNS STRING AS
SELECT CASE
  WHEN $name GLOB 'monitor contention with owner *' THEN 'monitor contention with <...>'
  WHEN $name GLOB 'Lock contention on *' THEN substr($name, 1, instr($name || ' (', ' (') - 1)
  WHEN $name GLOB 'SuspendThreadByThreadId *' THEN 'SuspendThreadByThreadId <...>'
  WHEN $name GLOB 'LoadApkAssetsFd*' THEN 'LoadApkAssetsFd <...>'
  WHEN $name GLOB 'LoadApkAssets*' THEN 'LoadApkAssets <...>'
  WHEN $name GLOB 'relayoutWindow*' THEN 'relayoutWindow <...>'
  WHEN $name GLOB 'ImageDecoder#decode*' THEN 'ImageDecoder#decode <...>'
  WHEN $name GLOB 'NotificationStackScrollLayout#onMeasure*'
    THEN 'NotificationStackScrollLayout#onMeasure <...>'
  WHEN $name GLOB 'ExpNotRow#*' THEN 'ExpNotRow#<...>'
  WHEN $name GLOB 'GC: Wait For*' THEN 'GC: Wait For <...>'
  WHEN $name GLOB 'Recomposer:*' THEN 'Recomposer:<...>'
  WHEN $name GLOB 'Compose:*' THEN 'Compose:<...>'
  WHEN $name GLOB 'Handler: *' OR $name GLOB 'Choreographer#doFrame *' OR $name GLOB 'DrawFrame*'
    OR $name GLOB '/data/app*' OR $name GLOB 'OpenDexFilesFromOat*'
    OR $name GLOB 'Open oat file*' THEN CASE
      WHEN $name GLOB 'Choreographer#doFrame *' THEN 'Choreographer#doFrame'
      WHEN $name GLOB 'DrawFrame*' THEN 'DrawFrame'
      WHEN $name GLOB 'OpenDexFilesFromOat*' THEN 'OpenDexFilesFromOat <...>'
      WHEN $name GLOB 'Open oat file*' THEN 'Open oat file <...>'
      WHEN $name GLOB '/data/app*' THEN '/data/app <...>'
      ELSE _remove_lambda_name($name)
    END
  WHEN $name GLOB '*Lambda*' THEN _remove_lambda_name($name)
  WHEN $name GLOB '*akelock(*' THEN _standardize_wakelock_slice_name($name)
  ELSE __intrinsic_strip_hex($name, 1)
END;
