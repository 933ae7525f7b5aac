SELECT a.key, a.int_value, a.string_value FROM slice s JOIN args a USING (arg_set_id) WHERE s.name = 'a' ORDER BY a.key;
