SELECT name, ts, dur FROM slice ORDER BY name;
SELECT a.key, a.int_value, a.string_value FROM slice s JOIN args a USING (arg_set_id) WHERE s.name = 'a' ORDER BY a.key;
SELECT slice_display_end(id) AS display_end FROM slice WHERE name = 'b';
