SELECT s.name, c.object_id FROM slice s LEFT JOIN json_slice_context x ON x.slice_id = s.id LEFT JOIN json_context c ON c.id = x.context_id ORDER BY s.ts;
SELECT enter_ts, leave_ts FROM json_context;
