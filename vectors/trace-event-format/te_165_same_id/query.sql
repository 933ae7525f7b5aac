SELECT p.pid, s.ts FROM json_sample s JOIN thread USING (utid) JOIN process p USING (upid) ORDER BY s.ts;
