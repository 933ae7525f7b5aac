SELECT name, ts, dur, depth FROM slice ORDER BY ts, depth, name, dur;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('embedded_trace_unrecognised') GROUP BY name ORDER BY name;
SELECT count(*) AS n FROM trace_file;
