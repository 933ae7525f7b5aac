SELECT s.ts, t.tid, c.depth, f.name FROM cpu_profile_stack_sample s JOIN thread t USING (utid) LEFT JOIN stack_profile_callsite c ON c.id = s.callsite_id LEFT JOIN stack_profile_frame f ON f.id = c.frame_id ORDER BY s.ts;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('v8_profile_unknown_node', 'v8_profile_without_start') GROUP BY name ORDER BY name;
