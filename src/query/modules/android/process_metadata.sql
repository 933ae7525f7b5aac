-- Packages of processes.

INCLUDE PERFETTO MODULE android.user_list;

-- Number of packages that share a user id.
CREATE PERFETTO TABLE _uid_package_count AS
SELECT uid, count(*) AS cnt FROM package_list GROUP BY uid ORDER BY uid;

-- Processes of the kernel: kthreadd (process 2) and what it started.
CREATE PERFETTO TABLE _android_kernel_tasks(
  -- Process.
  upid LONG
) AS
SELECT p.upid
FROM process AS p
LEFT JOIN process AS parent ON parent.upid = p.parent_upid
WHERE p.pid = 2 OR parent.pid = 2
ORDER BY p.upid;

-- Whether a process belongs to the kernel.
CREATE PERFETTO FUNCTION android_is_kernel_task(
  -- Process.
  upid LONG
)
-- 1 if so, else 0.
RETURNS BOOL AS
SELECT EXISTS(SELECT 1 FROM _android_kernel_tasks WHERE upid = $upid);

-- Number that an application has for every user.
CREATE PERFETTO FUNCTION _app_id_to_base_package(
  -- User id of the operating system.
  app_id LONG
)
-- Number of the application.
RETURNS LONG AS
SELECT $app_id % 100000;

-- Package of a process.
CREATE PERFETTO FUNCTION _android_package_for_process(
  -- User id of the application.
  uid LONG,
  -- Number of packages with that user id.
  uid_count LONG,
  -- Name of the process.
  process_name STRING
)
RETURNS TABLE(
  -- Package.
  package_name STRING,
  -- Version of the package.
  version_code LONG,
  -- 1 if the package may be debugged.
  debuggable BOOL
) AS
SELECT package_name, version_code, debuggable
FROM package_list
WHERE uid = $uid
  AND ($uid_count = 1 OR $process_name = package_name OR $process_name GLOB (package_name || ':*'))
ORDER BY package_name DESC
LIMIT 1;

-- Processes with the package that they run.
CREATE PERFETTO TABLE android_process_metadata(
  -- Process.
  upid JOINID(process.id),
  -- Process number of the operating system.
  pid LONG,
  -- Name of the process.
  process_name STRING,
  -- User id of the operating system.
  uid LONG,
  -- 1 if several packages have the user id; NULL if not.
  shared_uid BOOL,
  -- Number of the Android user.
  user_id LONG,
  -- Kind of the Android user.
  user_type STRING,
  -- Package.
  package_name STRING,
  -- Version of the package.
  version_code LONG,
  -- 1 if the package may be debugged.
  debuggable LONG,
  -- 1 if the process belongs to the kernel.
  is_kernel_task BOOL
) AS
WITH candidate AS (
  SELECT
    p.upid, l.package_name, l.version_code, l.debuggable,
    row_number() OVER (PARTITION BY p.upid ORDER BY length(l.package_name) DESC) AS rank
  FROM process AS p
  JOIN package_list AS l ON l.uid = p.android_appid
  JOIN _uid_package_count AS u ON u.uid = l.uid
  WHERE u.cnt = 1 OR p.name = l.package_name OR p.name GLOB (l.package_name || ':*')
)
SELECT
  p.upid, p.pid, p.name AS process_name, p.uid, iif(u.cnt > 1, 1, NULL) AS shared_uid,
  p.android_user_id AS user_id, users.type AS user_type, c.package_name, c.version_code,
  c.debuggable, k.upid IS NOT NULL AS is_kernel_task
FROM process AS p
LEFT JOIN _uid_package_count AS u ON u.uid = p.android_appid
LEFT JOIN candidate AS c ON c.upid = p.upid AND c.rank = 1
LEFT JOIN (
  SELECT android_user_id, min(type) AS type FROM android_user_list GROUP BY android_user_id
) AS users ON users.android_user_id = p.android_user_id
LEFT JOIN _android_kernel_tasks AS k ON k.upid = p.upid
ORDER BY p.upid;
