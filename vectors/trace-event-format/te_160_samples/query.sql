SELECT s.ts, f.name AS leaf FROM json_sample s JOIN stack_profile_callsite c ON c.id = s.callsite_id JOIN stack_profile_frame f ON f.id = c.frame_id ORDER BY s.ts, s.id;
SELECT count(*) AS n FROM stack_profile_callsite;
