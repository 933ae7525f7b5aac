SELECT ts, prio, tag, msg, tid FROM android_logs LEFT JOIN thread USING (utid) ORDER BY ts;
