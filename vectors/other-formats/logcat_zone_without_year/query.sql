SELECT strftime('%m-%d %H:%M:%S', ts / 1000000000, 'unixepoch') AS utc, msg FROM android_logs ORDER BY ts;
