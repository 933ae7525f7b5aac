SELECT s.ts - (SELECT min(ts) FROM slice) AS rel, s.dur, s.name FROM slice s ORDER BY s.ts;
SELECT f.name, m.name AS mapping FROM cpu_profile_stack_sample s JOIN stack_profile_callsite c ON c.id = s.callsite_id JOIN stack_profile_frame f ON f.id = c.frame_id JOIN stack_profile_mapping m ON m.id = f.mapping;
SELECT trace_type FROM trace_file;
