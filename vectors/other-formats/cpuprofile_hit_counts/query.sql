SELECT p.scope, p.sample_type_unit, c.depth, f.name AS leaf, s.value FROM aggregate_sample s JOIN aggregate_profile p ON p.id = s.aggregate_profile_id JOIN stack_profile_callsite c ON c.id = s.callsite_id JOIN stack_profile_frame f ON f.id = c.frame_id ORDER BY s.id;
SELECT count(*) AS timed FROM cpu_profile_stack_sample;
