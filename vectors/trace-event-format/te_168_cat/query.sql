SELECT object_id, category, base_type, creation_ts, deletion_ts FROM json_object_instance ORDER BY creation_ts, object_id;
