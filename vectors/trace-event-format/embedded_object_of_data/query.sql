SELECT name FROM slice;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('embedded_trace_unrecognised', 'trace_file_empty') GROUP BY name ORDER BY name;
