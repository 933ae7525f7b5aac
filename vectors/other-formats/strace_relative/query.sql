SELECT s.ts - (SELECT min(ts) FROM slice) AS rel, s.dur, s.name, th.tid FROM slice s JOIN thread_track t ON s.track_id = t.id JOIN thread th USING (utid) ORDER BY s.ts;
