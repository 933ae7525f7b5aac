SELECT s.ts - (SELECT min(ts) FROM cpu_profile_stack_sample) AS after, t.name AS thread, p.pid, p.name AS process, f.name, m.name AS mapping, c.depth FROM cpu_profile_stack_sample s JOIN thread t USING (utid) JOIN process p USING (upid) LEFT JOIN stack_profile_callsite c ON c.id = s.callsite_id LEFT JOIN stack_profile_frame f ON f.id = c.frame_id LEFT JOIN stack_profile_mapping m ON m.id = f.mapping ORDER BY s.ts, p.pid, t.name;
SELECT c.value FROM counter c JOIN track t ON t.id = c.track_id WHERE t.name = 'malloc' ORDER BY c.ts;
SELECT s.name, s.category, s.dur, a.key, a.display_value FROM slice s JOIN args a USING (arg_set_id) ORDER BY a.key;
SELECT name, value FROM stats WHERE name = 'gecko_bad_row';
