/** Queries that the viewer offers. */

export interface ExampleQuery {
  title: string;
  /** The table whose rows it needs. */
  table: string;
  sql: string;
}

export const longestSlices: ExampleQuery = { title: 'longest slices', table: 'slice', sql: 'SELECT slice.name, count(*) AS n, max(dur) AS longest, sum(dur) AS total\nFROM slice\nGROUP BY slice.name\nORDER BY longest DESC;\n' };
export const placementOfClocks: ExampleQuery = { title: 'placement of clocks', table: 'placement', sql: 'SELECT * FROM placement ORDER BY uncertainty_ns DESC;\n' };

export const exampleQueries: readonly ExampleQuery[] = [
  longestSlices,
  { title: 'slices by thread', table: 'slice', sql: 'SELECT machine.name AS machine, process.name AS process, thread.name AS thread, slice.name, slice.ts, slice.dur\nFROM slice\nJOIN thread_track ON slice.track_id = thread_track.id\nJOIN thread USING (utid)\nLEFT JOIN process USING (upid)\nLEFT JOIN machine ON thread.machine_id = machine.id\nORDER BY slice.ts;\n' },
  { title: 'counters', table: 'counter', sql: 'SELECT counter_track.name, count(*) AS n, min(value) AS least, max(value) AS most\nFROM counter\nJOIN counter_track ON counter.track_id = counter_track.id\nGROUP BY counter_track.name\nORDER BY n DESC;\n' },
  { title: 'CPU time by thread', table: 'sched_slice', sql: 'SELECT thread.name, sum(dur) AS dur, count(*) AS switches\nFROM sched_slice\nJOIN thread USING (utid)\nGROUP BY utid\nORDER BY dur DESC;\n' },
  { title: 'latency of flows', table: 'flow', sql: 'SELECT a.name AS from_name, b.name AS to_name, count(*) AS n, min(b.ts - a.ts) AS least, max(b.ts - a.ts) AS most\nFROM flow\nJOIN slice a ON flow.slice_out = a.id\nJOIN slice b ON flow.slice_in = b.id\nGROUP BY 1, 2\nORDER BY n DESC;\n' },
  placementOfClocks,
  { title: 'what was lost', table: 'stats', sql: "SELECT name, level, value, description FROM stats WHERE value > 0 AND level = 'lost';\n" },
];
