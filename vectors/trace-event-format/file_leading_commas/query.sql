SELECT name, ts, dur, (SELECT count(*) FROM args a WHERE a.arg_set_id = s.arg_set_id) AS args,
       (SELECT value FROM counter) AS counter,
       (SELECT value FROM stats WHERE name = 'json_extra_comma') AS commas
FROM slice s ORDER BY ts;
