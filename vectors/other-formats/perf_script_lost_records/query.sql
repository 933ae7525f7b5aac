SELECT ts FROM cpu_profile_stack_sample;
SELECT name, idx, value FROM stats WHERE name GLOB 'perf_*' AND value > 0 ORDER BY name, idx;
