SELECT c.kind, c.id_text, c.scope, p.pid, c.class_id = (SELECT min(class_id) FROM json_id_class) AS same FROM json_id_class c LEFT JOIN process p USING (upid) ORDER BY c.kind, c.id_text;
