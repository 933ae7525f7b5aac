SELECT s.name FROM json_slice_context JOIN slice s ON json_slice_context.slice_id = s.id ORDER BY s.name;
