SELECT enter_ts, leave_ts FROM json_context;
SELECT s.name FROM json_slice_context JOIN slice s ON json_slice_context.slice_id = s.id;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('context_parse_error') GROUP BY name HAVING sum(value) != 0 ORDER BY name;
