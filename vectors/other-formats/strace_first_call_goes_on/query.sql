SELECT s.ts, s.dur, s.name, t.tid, extract_arg(s.arg_set_id, 'args') AS args FROM slice s JOIN thread_track tt ON tt.id = s.track_id JOIN thread t USING (utid) ORDER BY s.ts;
