-- Feature flags of Android.

-- Feature flags, once for each snapshot.
CREATE PERFETTO VIEW android_aflags(
  -- Time of the snapshot, ns.
  ts TIMESTAMP,
  -- Package that declares the flag.
  package STRING,
  -- Name of the flag.
  name STRING,
  -- Namespace in the configuration service.
  flag_namespace STRING,
  -- Container that the flag belongs to.
  container STRING,
  -- Value: enabled or disabled.
  value STRING,
  -- Value from the next boot on.
  staged_value STRING,
  -- read-only or read-write.
  permission STRING,
  -- Where the value comes from: default, server or local.
  value_picked_from STRING,
  -- Where the value is stored.
  storage_backend STRING,
  -- Type of the flag.
  type STRING
) AS
SELECT
  ts, package, name, flag_namespace, container, value, staged_value, permission, value_picked_from,
  storage_backend, type
FROM __intrinsic_android_aflags;
