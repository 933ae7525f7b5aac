SELECT name, ts, dur FROM slice ORDER BY ts, dur DESC, name;
SELECT name, slice_display_end(id) AS display_end FROM slice ORDER BY name;
