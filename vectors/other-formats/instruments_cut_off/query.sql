SELECT ts FROM instruments_sample ORDER BY ts;
SELECT name, value FROM stats WHERE name IN ('trace_truncated') ORDER BY name;
