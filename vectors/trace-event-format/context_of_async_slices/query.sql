SELECT s.name, c.type_name FROM json_slice_context x JOIN slice s ON s.id = x.slice_id JOIN json_context c ON c.id = x.context_id ORDER BY s.ts;
