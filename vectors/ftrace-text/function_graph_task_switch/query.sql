SELECT s.name, s.dur, th.tid, th.name AS thread FROM slice s LEFT JOIN thread_track t ON s.track_id = t.id LEFT JOIN thread th USING (utid) ORDER BY s.ts;
SELECT value FROM stats WHERE name = 'systrace_parse_failure';
