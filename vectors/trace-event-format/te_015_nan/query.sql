SELECT name, ts, dur, depth FROM slice ORDER BY ts, depth, name, dur;
SELECT key, value_type, real_value FROM args WHERE key = 'args.v';
SELECT name, sum(value) AS value FROM stats WHERE name IN ('json_nonfinite_number') GROUP BY name ORDER BY name;
