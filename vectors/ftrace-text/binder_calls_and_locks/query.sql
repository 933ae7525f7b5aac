SELECT (s.ts - 1000000000) / 1000 AS us, s.dur, s.name, t.tid, s.category FROM slice s JOIN thread_track tt ON s.track_id = tt.id JOIN thread t USING (utid) ORDER BY s.ts, s.id;
SELECT a.key, a.string_value, a.int_value FROM args a JOIN slice s ON s.arg_set_id = a.arg_set_id WHERE s.name = 'binder transaction' ORDER BY a.key;
SELECT a.name AS sender, b.name AS receiver FROM flow f JOIN slice a ON f.slice_out = a.id JOIN slice b ON f.slice_in = b.id ORDER BY a.ts;
SELECT name, count(*) AS rows FROM ftrace_event GROUP BY name ORDER BY name;
