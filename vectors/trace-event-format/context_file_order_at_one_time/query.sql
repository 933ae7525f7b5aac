SELECT s.name FROM json_slice_context JOIN slice s ON slice_id = s.id ORDER BY s.name;
