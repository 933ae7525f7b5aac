SELECT name, ts, dur, depth FROM slice ORDER BY ts, depth, name, dur;
SELECT s.name, t.tid, p.pid FROM json_async_slice a JOIN slice s ON s.id = a.slice_id JOIN thread t ON t.utid = a.begin_utid JOIN process p ON p.upid = a.group_upid ORDER BY s.ts;
