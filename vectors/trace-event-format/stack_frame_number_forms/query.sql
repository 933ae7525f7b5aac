SELECT s.name, f.name AS leaf, c.depth FROM __intrinsic_track_event_callstacks x JOIN slice s ON s.id = x.slice_id JOIN stack_profile_callsite c ON c.id = x.callsite_id JOIN stack_profile_frame f ON f.id = c.frame_id ORDER BY s.ts;
SELECT s.name, f.name AS leaf, c.depth FROM json_sample s JOIN stack_profile_callsite c ON c.id = s.callsite_id JOIN stack_profile_frame f ON f.id = c.frame_id;
