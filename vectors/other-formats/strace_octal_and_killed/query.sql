SELECT s.ts, s.dur, s.name, th.tid, th.name AS thread, (SELECT group_concat(a.key || '=' || coalesce(a.string_value, a.int_value), '; ') FROM args a WHERE a.arg_set_id = s.arg_set_id ORDER BY a.key) AS args FROM slice s JOIN thread_track t ON s.track_id = t.id JOIN thread th USING (utid) ORDER BY s.ts;
SELECT name, sum(value) AS value FROM stats WHERE name = 'strace_missing_pid' GROUP BY name;
