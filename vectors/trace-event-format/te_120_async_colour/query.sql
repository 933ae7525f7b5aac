SELECT cname FROM json_event_color WHERE kind = 'slice';
