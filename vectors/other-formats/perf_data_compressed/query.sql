SELECT p.ts, p.cpu, th.tid, th.name FROM perf_sample p JOIN thread th USING (utid) ORDER BY p.ts;
SELECT m.name, f.rel_pc FROM perf_sample p JOIN stack_profile_callsite c ON c.id = p.callsite_id JOIN stack_profile_frame f ON f.id = c.frame_id JOIN stack_profile_mapping m ON m.id = f.mapping ORDER BY p.ts LIMIT 2;
SELECT name, value FROM stats WHERE value > 0 AND name LIKE 'perf_data%';
