SELECT tid, t.name AS thread, pid, p.name AS process FROM thread t LEFT JOIN process p USING (upid) WHERE t.utid IN (SELECT utid FROM cpu_profile_stack_sample) ORDER BY t.name;
