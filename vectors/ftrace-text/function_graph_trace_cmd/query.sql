SELECT s.ts, s.dur, s.depth, s.name, th.tid FROM slice s JOIN thread_track t ON s.track_id = t.id JOIN thread th USING (utid) ORDER BY s.ts;
SELECT count(*) AS rows FROM ftrace_event;
