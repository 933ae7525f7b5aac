SELECT a.key, a.int_value FROM slice s JOIN args a USING (arg_set_id) ORDER BY a.key;
SELECT value FROM stats WHERE name = 'json_arg_override';
