SELECT strftime('%m-%d', ts / 1000000000, 'unixepoch') AS day, msg FROM android_logs ORDER BY ts;
SELECT int_value % 4 FROM metadata WHERE name = 'logcat_inferred_year';
SELECT str_value FROM metadata WHERE name = 'logcat_assumed_zone';
