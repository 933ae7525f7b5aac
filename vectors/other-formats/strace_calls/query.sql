SELECT s.ts, s.dur, s.name, t.tid, (SELECT group_concat(a.key || '=' || a.display_value, ' | ') FROM args a WHERE a.arg_set_id = s.arg_set_id) AS args FROM slice s JOIN thread_track tt ON tt.id = s.track_id JOIN thread t USING (utid) ORDER BY s.ts;
SELECT tid, end_ts FROM thread WHERE tid = 1000;
SELECT name, value FROM stats WHERE name = 'strace_parse_failure';
