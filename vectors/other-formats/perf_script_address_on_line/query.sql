SELECT s.ts, f.name, m.name AS mapping, f.rel_pc, c.depth FROM cpu_profile_stack_sample s JOIN stack_profile_callsite c ON c.id = s.callsite_id JOIN stack_profile_frame f ON f.id = c.frame_id JOIN stack_profile_mapping m ON m.id = f.mapping ORDER BY s.ts;
SELECT name, value FROM stats WHERE name LIKE 'perf_text%' AND value > 0;
