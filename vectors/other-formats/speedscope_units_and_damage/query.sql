SELECT t.tid, t.name AS profile, s.ts, s.dur, s.name FROM slice s JOIN thread_track tt ON tt.id = s.track_id JOIN thread t USING (utid) ORDER BY s.ts;
SELECT t.name AS profile, s.ts, c.depth, f.name FROM cpu_profile_stack_sample s JOIN thread t USING (utid) LEFT JOIN stack_profile_callsite c ON c.id = s.callsite_id LEFT JOIN stack_profile_frame f ON f.id = c.frame_id ORDER BY t.tid, s.ts;
SELECT name, value FROM stats WHERE name IN ('speedscope_bad_record', 'trace_truncated') ORDER BY name;
