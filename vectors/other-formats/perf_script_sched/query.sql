SELECT th.tid, th.name, s.ts, s.dur, s.end_state FROM sched s JOIN thread th USING (utid) WHERE th.tid != 0 ORDER BY s.ts;
SELECT ts, state, dur FROM thread_state JOIN thread USING (utid) WHERE tid = 10 ORDER BY ts;
SELECT ts, name FROM ftrace_event ORDER BY ts;
SELECT c.ts, c.value, t.name FROM counter c JOIN track t ON c.track_id = t.id;
SELECT count(*) AS samples FROM cpu_profile_stack_sample;
SELECT value FROM stats WHERE name = 'perf_text_importer_sample_no_frames';
