SELECT name, ts FROM slice ORDER BY ts;
SELECT count(*) AS files, count(parent_id) AS embedded FROM __intrinsic_trace_file;
SELECT name, str_value, int_value FROM metadata WHERE name GLOB 'json_*' ORDER BY name;
