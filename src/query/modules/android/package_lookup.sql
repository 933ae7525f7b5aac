-- Names of packages.

-- Package that runs under a user id of the operating system.
CREATE PERFETTO FUNCTION android_package_lookup(
  -- User id; its last five digits name the application.
  uid LONG
)
-- Name of the package, or of the part of the system; NULL if not known.
RETURNS STRING AS
SELECT coalesce(
  (SELECT package_name FROM package_list WHERE uid = $uid % 100000 ORDER BY package_name LIMIT 1),
  CASE $uid
    WHEN 0 THEN 'AID_ROOT'
    WHEN 1000 THEN 'AID_SYSTEM_USER'
    WHEN 1001 THEN 'AID_RADIO'
    WHEN 1002 THEN 'AID_BLUETOOTH'
    WHEN 1013 THEN 'AID_MEDIA'
    WHEN 1027 THEN 'AID_NFC'
    WHEN 1041 THEN 'AID_AUDIOSERVER'
    WHEN 1051 THEN 'AID_DNS'
    WHEN 1052 THEN 'AID_DNS_TETHER'
    WHEN 1073 THEN 'AID_NETWORK_STACK'
    WHEN 2000 THEN 'AID_SHELL'
    WHEN 9999 THEN 'AID_NOBODY'
  END
);
