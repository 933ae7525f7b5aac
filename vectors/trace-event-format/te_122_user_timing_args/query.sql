SELECT u.group_name, u.title, a.key, a.int_value FROM json_user_timing u LEFT JOIN args a USING (arg_set_id) ORDER BY u.slice_id, a.key;
