SELECT phase, raw_json FROM json_unhandled_event;
