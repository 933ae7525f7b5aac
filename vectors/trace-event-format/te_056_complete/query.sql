SELECT name, ts, dur, depth FROM slice ORDER BY ts, depth, name, dur;
SELECT u.name, u.ts, t.tid, u.category FROM json_unfinished_complete u JOIN thread t USING (utid) ORDER BY u.ts;
