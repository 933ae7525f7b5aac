SELECT name, dur, slice_display_end(id) AS display_end FROM slice ORDER BY ts, depth, id;
