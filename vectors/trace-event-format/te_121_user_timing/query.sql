SELECT name, ts, dur, depth FROM slice ORDER BY ts, depth, name, dur;
SELECT group_name, title FROM json_user_timing ORDER BY slice_id;
