SELECT s.ts, s.dur, s.depth, s.category, s.name, t.type, p.pid FROM slice s JOIN track t ON s.track_id = t.id LEFT JOIN thread_track tt ON tt.id = t.id LEFT JOIN thread th USING (utid) LEFT JOIN process p ON p.upid = th.upid ORDER BY s.ts;
SELECT key, int_value, real_value, string_value FROM args JOIN slice USING (arg_set_id) WHERE slice.name = 'outer' ORDER BY key;
