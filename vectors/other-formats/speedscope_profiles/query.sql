SELECT s.ts, t.name AS thread, c.depth, f.name FROM cpu_profile_stack_sample s JOIN thread t USING (utid) JOIN stack_profile_callsite c ON c.id = s.callsite_id JOIN stack_profile_frame f ON f.id = c.frame_id ORDER BY s.ts;
SELECT s.ts, s.dur, s.depth, s.name, th.name AS thread FROM slice s JOIN thread_track t ON t.id = s.track_id JOIN thread th USING (utid) ORDER BY s.ts;
