-- Counters of the battery.

-- Counters of the battery side by side, at each time at which one was read.
CREATE PERFETTO VIEW android_battery_charge(
  -- Time, ns.
  ts TIMESTAMP,
  -- Mean current, uA.
  current_avg_ua DOUBLE,
  -- Charge in percent.
  capacity_percent DOUBLE,
  -- Charge, uAh.
  charge_uah DOUBLE,
  -- Current, uA.
  current_ua DOUBLE,
  -- Voltage, uV.
  voltage_uv DOUBLE,
  -- Energy, uWh.
  energy_counter_uwh DOUBLE,
  -- Power, mW.
  power_mw DOUBLE
) AS
SELECT
  c.ts,
  max(iif(t.name = 'batt.current.avg_ua', c.value, NULL)) AS current_avg_ua,
  max(iif(t.name = 'batt.capacity_pct', c.value, NULL)) AS capacity_percent,
  max(iif(t.name = 'batt.charge_uah', c.value, NULL)) AS charge_uah,
  max(iif(t.name = 'batt.current_ua', c.value, NULL)) AS current_ua,
  max(iif(t.name = 'batt.voltage_uv', c.value, NULL)) AS voltage_uv,
  max(iif(t.name = 'batt.energy_counter_uwh', c.value, NULL)) AS energy_counter_uwh,
  max(iif(t.name = 'batt.power_mw', c.value, NULL)) AS power_mw
FROM counter AS c
JOIN counter_track AS t ON c.track_id = t.id
WHERE t.type = 'battery_counter'
GROUP BY c.ts
ORDER BY c.ts;
