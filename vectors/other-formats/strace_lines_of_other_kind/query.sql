SELECT ts, name FROM slice ORDER BY ts;
SELECT name, value FROM stats WHERE name GLOB 'strace_*' ORDER BY name;
