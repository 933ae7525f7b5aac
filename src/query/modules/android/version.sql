-- Versions of Android.

-- The API level of the device that a trace is of; NULL if not known.
CREATE PERFETTO FUNCTION _android_sdk_version()
-- API level.
RETURNS LONG AS
SELECT coalesce(
  (SELECT max(android_sdk_version) FROM machine WHERE android_sdk_version > 0),
  extract_metadata('android_sdk_version')
);

-- The letter and the name of a version: T for Tiramisu.
CREATE PERFETTO FUNCTION _android_dessert_name()
-- Name of the version; NULL if not known.
RETURNS STRING AS
SELECT CASE _android_sdk_version()
  WHEN 28 THEN 'Pie'
  WHEN 29 THEN 'Q'
  WHEN 30 THEN 'R'
  WHEN 31 THEN 'S'
  WHEN 32 THEN 'S V2'
  WHEN 33 THEN 'Tiramisu'
  WHEN 34 THEN 'Upside Down Cake'
  WHEN 35 THEN 'Vanilla Ice Cream'
  WHEN 36 THEN 'Baklava'
END;
