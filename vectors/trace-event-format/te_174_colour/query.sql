SELECT kind, cname FROM json_event_color;
