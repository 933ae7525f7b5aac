SELECT p.scope, p.sample_type_unit, s.value, c.depth, f.name FROM aggregate_sample s JOIN aggregate_profile p ON p.id = s.aggregate_profile_id JOIN stack_profile_callsite c ON c.id = s.callsite_id JOIN stack_profile_frame f ON f.id = c.frame_id ORDER BY s.id;
SELECT name, value FROM stats WHERE name = 'collapsed_bad_line';
