SELECT a.key, a.string_value FROM process p JOIN args a USING (arg_set_id) WHERE pid = 1 ORDER BY a.key;
