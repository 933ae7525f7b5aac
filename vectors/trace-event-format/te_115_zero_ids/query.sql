SELECT name, dur FROM slice ORDER BY ts, depth;
