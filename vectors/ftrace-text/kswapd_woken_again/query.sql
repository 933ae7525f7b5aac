SELECT s.ts, s.dur, s.name, (SELECT display_value FROM args a WHERE a.arg_set_id = s.arg_set_id AND a.key = 'order') AS most FROM slice s ORDER BY s.ts;
