/** What a trace says of its own axis: annotations for viewers, sync points of its clocks, its unit of time (TEF 9.5, 9.11). */

export interface TraceMark {
  ts: bigint;
  text: string;
}

export interface TraceFacts {
  annotations: TraceMark[];
  /** Whether the trace asks for whole nanoseconds. */
  isNanoseconds: boolean;
}

const mostMarks = 2000;

/** Returns the statement for annotations and the unit: what it is, the time as a text, the text. */
export const factsSql = `SELECT 'unit', NULL, str_value FROM metadata WHERE name = 'json_displayTimeUnit' UNION ALL
SELECT * FROM (SELECT type, CAST(ts AS TEXT), text FROM json_annotation WHERE ts IS NOT NULL ORDER BY ts LIMIT ${mostMarks})`;

/** Returns the statement for sync points on the timeline: the clock's reading is converted as all readings of its file are. */
export const syncSql = `SELECT CAST(c.offset_ns + m.end_ts + CAST(round((c.slope - 1) * m.end_ts) AS INTEGER) AS TEXT), m.sync_id, m.role, m.domain
FROM json_clock_sync_marker m JOIN json_trace_clock c ON c.trace_file_id = m.trace_file_id AND c.domain = m.domain
WHERE c.offset_ns IS NOT NULL ORDER BY 1 LIMIT ${mostMarks}`;

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** Kinds of annotations in words, for those without a text. */
const kinds: Readonly<Record<string, string>> = { xmarker: 'marker', rect: 'area', comment_box: 'note' };

/** Returns what the rows of factsSql say. Files that ask for different units leave the choice to the viewer. */
export function factsOf(rows: readonly (readonly unknown[])[]): TraceFacts {
  const units = rows.filter((r) => r[0] === 'unit').map((r) => textOf(r[2]));
  const annotations = rows.filter((r) => r[0] !== 'unit').map((r) => ({ ts: BigInt(textOf(r[1]) || '0'), text: textOf(r[2]) || (kinds[textOf(r[0])] ?? textOf(r[0])) }));
  return { annotations, isNanoseconds: units.length > 0 && units.every((unit) => unit === 'ns') };
}

/** Returns the marks of the rows of syncSql. */
export const syncPointsOf = (rows: readonly (readonly unknown[])[]): TraceMark[] =>
  rows.map(([ts, id, role, domain]) => ({ ts: BigInt(textOf(ts) || '0'), text: `clock sync ${textOf(id)}, ${textOf(role)}, ${textOf(domain)}` }));

/** Returns the mark that is nearest to a time, within a distance. */
export function markNear(marks: readonly TraceMark[], ts: bigint, reach: bigint): TraceMark | null {
  let best: TraceMark | null = null;
  let least = reach;
  for (const mark of marks) {
    const away = mark.ts > ts ? mark.ts - ts : ts - mark.ts;
    if (away > least || (best !== null && away === least)) continue;
    best = mark;
    least = away;
  }
  return best;
}
