-- Name of the device.

-- Name of a device, from the fingerprint of its build (BRAND/PRODUCT/DEVICE:...).
CREATE PERFETTO FUNCTION android_device_name_from_fingerprint(
  -- Fingerprint of the build.
  fingerprint STRING
)
-- Code name of the device; NULL if the text is no fingerprint.
RETURNS STRING AS
SELECT str_split(str_split($fingerprint, '/', 2), ':', 0);

-- The name of each Android device.
CREATE PERFETTO TABLE android_device_name(
  -- Code name of the device.
  name STRING,
  -- Machine; NULL for the host.
  machine_id JOINID(machine.id)
) AS
SELECT
  android_device_name_from_fingerprint(android_build_fingerprint) AS name, id AS machine_id
FROM machine
WHERE android_build_fingerprint IS NOT NULL;
