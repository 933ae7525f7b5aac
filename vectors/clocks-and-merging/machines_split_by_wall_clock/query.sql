SELECT name, ts FROM slice ORDER BY ts, name;
SELECT count(*) AS machines FROM machine;
SELECT rule, uncertainty_ns FROM placement ORDER BY trace_id;
