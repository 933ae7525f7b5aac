-- Statistics of the battery service.

INCLUDE PERFETTO MODULE counters.intervals;

-- Text of a value of a counter of the battery statistics.
CREATE PERFETTO FUNCTION android_battery_stats_counter_to_string(
  -- Name of the counter.
  track STRING,
  -- Value.
  value DOUBLE
)
-- Text; the number where no text is known.
RETURNS STRING AS
SELECT CASE
  WHEN $track = 'battery_stats.wifi_scan' OR $track = 'battery_stats.wifi_radio'
    OR $track = 'battery_stats.mobile_radio' OR $track = 'battery_stats.audio'
    OR $track = 'battery_stats.video' OR $track = 'battery_stats.camera'
    OR $track = 'battery_stats.gps_on' OR $track = 'battery_stats.running'
    THEN CASE cast_int!($value) WHEN 0 THEN 'inactive' WHEN 1 THEN 'active' ELSE 'unknown' END
  WHEN $track = 'battery_stats.phone_in_call' OR $track = 'battery_stats.power_save'
    OR $track = 'battery_stats.wifi' OR $track = 'battery_stats.plugged'
    THEN CASE cast_int!($value) WHEN 0 THEN 'no' WHEN 1 THEN 'yes' ELSE 'unknown' END
  WHEN $track = 'battery_stats.data_conn' THEN CASE cast_int!($value)
    WHEN 0 THEN 'Out of service' WHEN 1 THEN '2.5G (GPRS)' WHEN 2 THEN '2.7G (EDGE)'
    WHEN 3 THEN '3G (UMTS)' WHEN 4 THEN '3G (CDMA)' WHEN 5 THEN '3G (EVDO Rel 0)'
    WHEN 6 THEN '3G (EVDO Rev A)' WHEN 7 THEN '3G (LXRTT)' WHEN 8 THEN '3.5G (HSDPA)'
    WHEN 9 THEN '3.5G (HSUPA)' WHEN 10 THEN '3.5G (HSPA)' WHEN 11 THEN '2G (IDEN)'
    WHEN 12 THEN '3G (EVDO Rev B)' WHEN 13 THEN '4G (LTE)' WHEN 14 THEN '3.5G (eHRPD)'
    WHEN 15 THEN '3.7G (HSPA+)' WHEN 16 THEN '2G (GSM)' WHEN 17 THEN '3G (TD SCDMA)'
    WHEN 18 THEN 'Wifi calling (IWLAN)' WHEN 19 THEN '4.5G (LTE CA)' WHEN 20 THEN '5G (NR)'
    WHEN 21 THEN 'Emergency calls only' WHEN 22 THEN 'Other' ELSE 'unknown' END
  WHEN $track = 'battery_stats.phone_signal_strength'
    OR $track = 'battery_stats.wifi_signal_strength' THEN CASE cast_int!($value)
    WHEN 0 THEN '0/4' WHEN 1 THEN '1/4' WHEN 2 THEN '2/4' WHEN 3 THEN '3/4' WHEN 4 THEN '4/4'
    ELSE 'unknown' END
  WHEN $track = 'battery_stats.phone_state' THEN CASE cast_int!($value)
    WHEN 0 THEN 'in' WHEN 1 THEN 'out' WHEN 2 THEN 'emergency' WHEN 3 THEN 'off'
    ELSE 'unknown' END
  WHEN $track = 'battery_stats.wifi_suppl' THEN CASE cast_int!($value)
    WHEN 0 THEN 'invalid' WHEN 1 THEN 'disconnected' WHEN 2 THEN 'disabled'
    WHEN 3 THEN 'inactive' WHEN 4 THEN 'scanning' WHEN 5 THEN 'authenticating'
    WHEN 6 THEN 'associating' WHEN 7 THEN 'associated' WHEN 8 THEN '4-way-handshake'
    WHEN 9 THEN 'group-handshake' WHEN 10 THEN 'completed' WHEN 11 THEN 'dormant'
    WHEN 12 THEN 'uninitialized' ELSE 'unknown' END
  ELSE CAST($value AS TEXT)
END;

-- Intervals of the counters of the battery statistics.
CREATE PERFETTO VIEW android_battery_stats_state(
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns; -1 for the last value of a counter.
  dur DURATION,
  -- Duration, ns; up to the end of the trace for the last value of a counter.
  safe_dur DURATION,
  -- Name of the counter.
  track_name STRING,
  -- Value of the counter as the system encodes it; `value_name` is its text.
  value LONG,
  -- Text of the value.
  value_name STRING
) AS
SELECT
  i.ts, iif(i.next_value IS NULL, -1, i.dur) AS dur, i.dur AS safe_dur, t.name AS track_name,
  cast_int!(i.value) AS value,
  android_battery_stats_counter_to_string(t.name, i.value) AS value_name
FROM counter_leading_intervals!((
  SELECT c.id, c.ts, c.track_id, c.value
  FROM counter AS c
  JOIN counter_track AS t ON c.track_id = t.id
  WHERE t.name GLOB 'battery_stats.*'
)) AS i
JOIN counter_track AS t ON t.id = i.track_id;

-- Events of the battery statistics, such as jobs and wakelocks of packages.
CREATE PERFETTO VIEW android_battery_stats_event_slices(
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns; -1 if the event never ended.
  dur DURATION,
  -- Duration, ns; up to the end of the trace if the event never ended.
  safe_dur DURATION,
  -- Kind of event.
  track_name STRING,
  -- What the event is about: package, job or state.
  str_value STRING,
  -- User id that the event belongs to.
  int_value LONG
) AS
WITH event AS (
  SELECT
    s.ts, s.dur, t.name AS track_name,
    regexp_extract(s.name, '^[+-]?[^=]*=[0-9]+:"?([^"]*)"?') AS str_value,
    cast_int!(regexp_extract(s.name, '^[+-]?[^=]*=([0-9]+):')) AS int_value
  FROM slice AS s
  JOIN track AS t ON s.track_id = t.id
  WHERE t.name GLOB 'battery_stats.*'
)
SELECT
  ts, dur, iif(dur = -1, trace_end() - ts, dur) AS safe_dur, track_name, str_value, int_value
FROM event;
