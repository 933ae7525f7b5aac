SELECT t.name, c.cname, reserved_color(c.cname) AS rgb FROM json_event_color c JOIN track t ON t.id = c.row_id WHERE c.kind = 'counter_track' ORDER BY t.name;
