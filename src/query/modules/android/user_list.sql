-- Users of an Android device.

-- Users of the device.
CREATE PERFETTO VIEW android_user_list(
  -- Number of the user.
  android_user_id LONG,
  -- Kind of the user.
  type STRING
) AS
SELECT android_user_id, type FROM __intrinsic_android_user_list;
