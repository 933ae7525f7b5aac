#include "cli/shell/examples.h"

namespace tracebraid {

std::span<const SqlExample> sql_examples() {
  static constexpr SqlExample kExamples[] = {
      {"The files of the trace", "SELECT path, trace_type, size FROM __intrinsic_trace_file;"},
      {"How the clock of each file was placed, and the possible error",
       "SELECT file.path, rule, uncertainty_ns, placed, dropped_no_path\n"
       "FROM placement JOIN __intrinsic_trace_file file ON file.id = trace_id;"},
      {"The names on which most time is spent",
       "SELECT name, count(*) AS n, sum(dur) / 1e6 AS total_ms, max(dur) / 1e6 AS longest_ms\n"
       "FROM slice WHERE dur > 0 GROUP BY name ORDER BY total_ms DESC LIMIT 20;"},
      {"The longest slices, with their thread and process",
       "SELECT slice.ts, slice.dur / 1e6 AS ms, slice.name, thread.name AS thread,\n"
       "  process.name AS process\n"
       "FROM slice JOIN thread_track ON slice.track_id = thread_track.id\n"
       "JOIN thread USING (utid) LEFT JOIN process USING (upid)\n"
       "ORDER BY slice.dur DESC LIMIT 20;"},
      {"The args of the longest slice",
       "SELECT key, display_value FROM args\n"
       "WHERE arg_set_id = (SELECT arg_set_id FROM slice ORDER BY dur DESC LIMIT 1);"},
      {"The threads that ran longest on a CPU",
       "SELECT thread.name, tid, sum(dur) / 1e6 AS cpu_ms FROM sched JOIN thread USING (utid)\n"
       "WHERE dur > 0 AND tid != 0 GROUP BY utid ORDER BY cpu_ms DESC LIMIT 20;"},
      {"The range of each counter",
       "SELECT track.name, count(*) AS n, min(value) AS least, max(value) AS most\n"
       "FROM counter JOIN track ON counter.track_id = track.id GROUP BY track.id ORDER BY "
       "track.name;"},
      {"Flows that end before they start, which shows that clocks disagree",
       "SELECT a.name AS from_slice, b.name AS to_slice, (b.ts - a.ts) / 1e6 AS ms\n"
       "FROM flow JOIN slice a ON flow.slice_out = a.id JOIN slice b ON flow.slice_in = b.id\n"
       "WHERE b.ts < a.ts ORDER BY ms LIMIT 20;"},
      {"The log lines of the first second",
       "SELECT ts, tag, msg FROM android_logs\n"
       "WHERE ts < (SELECT min(ts) FROM android_logs) + 1000000000 ORDER BY ts LIMIT 20;"},
      {"What could not be read",
       "SELECT name, severity, sum(value) AS times FROM stats\n"
       "WHERE severity IN ('error', 'data_loss') GROUP BY name HAVING times > 0 ORDER BY times "
       "DESC;"},
  };
  return kExamples;
}

}  // namespace tracebraid
