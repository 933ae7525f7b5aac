SELECT c.depth, f.name AS leaf, s.value FROM aggregate_sample s JOIN stack_profile_callsite c ON c.id = s.callsite_id JOIN stack_profile_frame f ON f.id = c.frame_id ORDER BY s.id;
SELECT name, value FROM stats WHERE name IN ('collapsed_bad_line') ORDER BY name;
