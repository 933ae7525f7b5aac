SELECT kind, id_text, class_id FROM json_id_class ORDER BY kind, id_text;
