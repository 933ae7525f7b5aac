SELECT s.name, s.ts, s.dur, t.tid FROM slice s JOIN thread_track tt ON tt.id = s.track_id JOIN thread t USING (utid) ORDER BY s.ts;
SELECT name, value FROM stats WHERE name = 'ninja_parse_errors';
