SELECT s.ts, s.dur, s.name, a.key, a.display_value FROM slice s JOIN args a USING (arg_set_id) ORDER BY s.ts;
