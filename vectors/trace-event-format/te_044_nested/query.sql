SELECT name, dur, depth, slice_self_time(id) AS self, slice_self_cpu_time(id) AS cpu_self FROM slice ORDER BY ts, depth;
