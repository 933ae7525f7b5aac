-- Messages of systemd-journald.

-- Messages of systemd-journald.
CREATE PERFETTO VIEW linux_systemd_journald_logs(
  -- Row of logs.
  id ID,
  -- Time, ns.
  ts TIMESTAMP,
  -- Thread that wrote the message.
  utid JOINID(thread.id),
  -- Priority, 0 (emergency) to 7 (debug).
  prio LONG,
  -- Identifier of the program.
  tag STRING,
  -- Text of the message.
  msg STRING,
  -- User of the process.
  uid LONG,
  -- Command name of the process.
  comm STRING,
  -- Unit of systemd.
  systemd_unit STRING,
  -- Name of the host that logged the message.
  hostname STRING,
  -- How the message reached the journal.
  transport STRING
) AS
SELECT
  id, ts, utid, prio, tag, msg,
  extract_arg(arg_set_id, 'uid') AS uid,
  extract_arg(arg_set_id, 'comm') AS comm,
  extract_arg(arg_set_id, 'systemd_unit') AS systemd_unit,
  extract_arg(arg_set_id, 'hostname') AS hostname,
  extract_arg(arg_set_id, 'transport') AS transport
FROM logs
WHERE log_source = 'systemd_journald';
