select s.ts, s.name, a.flat_key, a.key, a.display_value from slice s join args a using (arg_set_id) order by a.key;
