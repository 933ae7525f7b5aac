SELECT ts, dur, depth, track_id - min(track_id) OVER () AS lane FROM slice ORDER BY ts;
