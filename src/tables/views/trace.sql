-- The trace as a whole

-- First and last time of the trace.
CREATE PERFETTO VIEW _trace_bounds(
  -- First time, ns.
  start_ts TIMESTAMP,
  -- Last time, ns.
  end_ts TIMESTAMP
) AS
SELECT trace_start() AS start_ts, trace_end() AS end_ts;

-- First and last time of the trace: one row.
CREATE PERFETTO VIEW trace_bounds(
  -- First time, ns.
  start_ts TIMESTAMP,
  -- Last time, ns.
  end_ts TIMESTAMP
) AS
SELECT start_ts, end_ts FROM _trace_bounds;

-- Names of metrics: there are none.
CREATE PERFETTO VIEW _trace_metrics(
  -- Name.
  name STRING
) AS
SELECT NULL AS name WHERE FALSE;

-- Names of metrics: there are none.
CREATE PERFETTO VIEW trace_metrics(
  -- Name.
  name STRING
) AS
SELECT name FROM _trace_metrics;

-- Devices with clocks, processes and CPUs of their own.
CREATE PERFETTO VIEW machine(
  -- Row number.
  id ID,
  -- 0 host, then embedded ids, from 2^32 manifest machines.
  raw_id LONG,
  -- From SystemInfo or the manifest.
  name STRING,
  -- utsname.
  sysname STRING,
  -- utsname.
  release STRING,
  -- utsname.
  version STRING,
  -- utsname machine.
  arch STRING,
  -- CPUs.
  num_cpus LONG,
  -- Build.
  android_build_fingerprint STRING,
  -- Maker.
  android_device_manufacturer STRING,
  -- API level.
  android_sdk_version LONG,
  -- Memory, bytes.
  system_ram_bytes LONG,
  -- Memory, 10^9 bytes, rounded.
  system_ram_gb LONG,
  -- 0 for the host; the others count up from 1.
  label_index LONG
) AS
SELECT id, raw_id, name, sysname, release, version, arch, num_cpus, android_build_fingerprint,
  android_device_manufacturer, android_sdk_version, system_ram_bytes, system_ram_gb,
  CASE WHEN m.raw_id = 0 THEN 0 ELSE (
    SELECT count() FROM __intrinsic_machine AS other WHERE other.raw_id != 0 AND other.id <= m.id
  ) END AS label_index
FROM __intrinsic_machine AS m;

-- Kinds of stats.
CREATE PERFETTO VIEW _stat_key_to_severity_and_name(
  -- Key of the stat.
  key LONG,
  -- info, notice, data_loss or error.
  severity STRING,
  -- Name of the stat.
  name STRING
) AS
SELECT DISTINCT key, severity, name FROM __intrinsic_stats;

-- Single occurrences that stats count.
CREATE PERFETTO VIEW _trace_import_logs(
  -- Row number.
  id ID,
  -- Row of trace_file.
  trace_id JOINID(trace_file.id),
  -- Trace time, ns, if known.
  ts TIMESTAMP,
  -- Offset in the file, bytes, if known.
  byte_offset LONG,
  -- info, notice, data_loss or error.
  severity STRING,
  -- Name of the stat.
  name STRING,
  -- Details.
  arg_set_id ARGSETID
) AS
SELECT log.id, log.trace_id, log.ts, log.byte_offset, stat.severity, stat.name, log.arg_set_id
FROM __intrinsic_trace_import_logs AS log
JOIN _stat_key_to_severity_and_name AS stat ON stat.key = log.stat_key;
