SELECT r.owner_kind, r.arg_key, r.target_id, s.ts AS snapshot_ts, s.is_implicit FROM json_object_ref r LEFT JOIN json_object_snapshot s ON s.id = r.snapshot_id ORDER BY r.ts, r.arg_key;
