SELECT name, ts FROM slice ORDER BY ts, name;
SELECT name, value, machine_id, trace_id FROM stats WHERE name IN ('trace_sorter_negative_timestamp_dropped', 'track_event_invalid_timestamp') ORDER BY name;
