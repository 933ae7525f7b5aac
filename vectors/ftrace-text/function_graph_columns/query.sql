SELECT s.ts, s.dur, s.depth, s.name, th.tid, th.name AS thread FROM slice s JOIN thread_track t ON s.track_id = t.id JOIN thread th USING (utid) ORDER BY s.ts, s.depth;
SELECT state, ts FROM thread_state JOIN thread USING (utid) WHERE tid = 9;
SELECT sum(value) AS failures FROM stats WHERE name IN ('systrace_parse_failure', 'ftrace_text_unsupported_tracer', 'slice_drop_overlapping_complete_event');
