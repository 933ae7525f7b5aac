/** The clock graph of the mock server: that of examples/, with more machines and contradictions where the trace is troubled. */
import { readFileSync } from 'node:fs';
import { payloads } from './hostile.mjs';

const examples = JSON.parse(readFileSync(new URL('clocks.json', import.meta.url), 'utf8'));
const fileIds = [1, 2, 0]; // of the mock's trace_file

/** Adds the tables of the clock graph to a database. */
export function addClocks(db, { isHostile, isTroubled }) {
  db.exec(`CREATE TABLE clock(id INTEGER, name TEXT, label TEXT, machine_id INTEGER, trace_id INTEGER, sequence INTEGER, readings INTEGER, segments INTEGER, next_clock INTEGER, next_kind TEXT);
    CREATE TABLE clock_edge(id INTEGER, from_clock INTEGER, to_clock INTEGER, kind TEXT, source TEXT, observations INTEGER, uncertainty_ns INTEGER, trace_id INTEGER, byte_offset INTEGER, is_used INTEGER);
    CREATE TABLE clock_contradiction(id INTEGER, clock_a INTEGER, clock_b INTEGER, kind TEXT, observations INTEGER, apart_ns INTEGER, bound_ns INTEGER, reading_a INTEGER, reading_b INTEGER, path_a TEXT, path_b TEXT, trace_id INTEGER, byte_offset INTEGER);
    CREATE TABLE clock_match_set(id INTEGER, kind TEXT, class TEXT, clock_a INTEGER, clock_b INTEGER, trace_a INTEGER, trace_b INTEGER, candidates INTEGER, used INTEGER, outliers INTEGER, verdict TEXT, reason TEXT, detail TEXT, offset_ns INTEGER, rate_ppb INTEGER, bound_ns INTEGER);
    CREATE TABLE placement(id INTEGER, trace_id INTEGER, machine_id INTEGER, clock_id INTEGER, rule TEXT, placed INTEGER, uncertainty_ns INTEGER);`);
  const add = (table, row) => db.prepare(`INSERT INTO ${table} VALUES (${row.map(() => '?').join(',')})`).run(...row);
  for (const table of ['clock', 'clock_edge', 'placement']) {
    const { columns, rows } = examples[table];
    const file = columns.indexOf('trace_id');
    const label = columns.indexOf('label');
    rows.forEach((row, i) => add(table, row.map((value, at) => (at === file && value !== null ? fileIds[value] : at === label && isHostile ? payloads[i % payloads.length] : value))));
  }
  if (!isTroubled) return;
  db.exec("INSERT INTO machine(id, name) VALUES (2,'gpu-node')");
  add('clock', [19, 'REALTIME', 'REALTIME of gpu-node', 2, null, null, 26, 1, 1, 'rendezvous']);
  add('clock_edge', [20, 1, 19, 'rendezvous', 'wall_clock', 1, 830000, null, null, 1]);
  for (let i = 0; i < 6; i += 1) {
    const isGuess = i === 5;
    add('trace_file', [10 + i, `rank${i}.json`, null, 'json', 1000, 0]);
    add('clock', [20 + i, 'PRIVATE', `own timeline of rank${i}.json`, 2, 10 + i, null, isGuess ? 1 : 19, 1, isGuess ? 0 : 19, isGuess ? 'guessed' : 'measured']);
    add('clock_edge', [21 + i, isGuess ? 0 : 19, 20 + i, isGuess ? 'guessed' : 'measured', isGuess ? 'guess' : 'date', isGuess ? 1 : 19, isGuess ? null : 8000, 10 + i, 340, 1]);
    add('placement', [15 + i, 10 + i, 2, 20 + i, isGuess ? 'guessed' : 'measured', 2276, isGuess ? null : 838112]);
  }
  add('clock_contradiction', [0, 10, 11, 'measured', 1, 18400, 3100, 11672000000000, 1795176332, 'BOOTTIME of watch > REALTIME of watch > REALTIME of phone > BOOTTIME of phone', 'MONOTONIC of watch > REALTIME of watch > REALTIME of phone > BOOTTIME of phone', 2, 31870]);
}

const lists = {
  clocks: ['clock', 'c.id, c.name, c.label, c.machine_id AS machine, c.trace_id AS file, CAST(c.sequence AS TEXT) AS sequence, c.readings, c.segments, c.next_clock AS next, c.next_kind, m.name AS machine_name, f.name AS file_name FROM clock c LEFT JOIN machine m ON m.id = c.machine_id LEFT JOIN trace_file f ON f.id = c.trace_id ORDER BY c.id'],
  'clocks/edges': ['clock_edge', `e.id, e.from_clock AS "from", e.to_clock AS "to", e.kind, e.source, e.observations, CAST(e.uncertainty_ns AS TEXT) AS bound_ns, e.trace_id AS file, CAST(e.byte_offset AS TEXT) AS byte_offset, e.is_used, f.name AS file_name
    FROM clock_edge e LEFT JOIN trace_file f ON f.id = e.trace_id ORDER BY e.is_used DESC, e.id`],
  'clocks/contradictions': ['clock_contradiction', `c.id, c.clock_a AS a, c.clock_b AS b, c.kind, c.observations, CAST(c.apart_ns AS TEXT) AS apart_ns, CAST(c.bound_ns AS TEXT) AS bound_ns, CAST(c.reading_a AS TEXT) AS reading_a,
    CAST(c.reading_b AS TEXT) AS reading_b, c.path_a, c.path_b, c.trace_id AS file, CAST(c.byte_offset AS TEXT) AS byte_offset, f.name AS file_name FROM clock_contradiction c LEFT JOIN trace_file f ON f.id = c.trace_id ORDER BY c.apart_ns - c.bound_ns DESC, c.id`],
};

/** Answers the route of clocks, edges or contradictions of a trace, in the shapes of the real server. */
export function clockRows(db, route, offset, limit) {
  const [table, select] = lists[route];
  const { total, used } = db.prepare(`SELECT count(*) AS total${table === 'clock_edge' ? ', coalesce(sum(is_used), 0) AS used' : ''} FROM ${table}`).get();
  const found = db.prepare(`SELECT ${select} LIMIT ? OFFSET ?`).all(limit, offset);
  const rows = found.map((row) => ({ ...row, ...('is_used' in row ? { is_used: row.is_used !== 0 } : {}) }));
  return { total, ...(used === undefined ? {} : { used }), [route.split('/').at(-1)]: rows };
}

/** Returns the labels of the clocks of each edge of examples/. */
export function edgeLabels() {
  const { columns, rows } = examples.clock_edge;
  const label = (id) => examples.clock.rows.find((row) => row[0] === id)[examples.clock.columns.indexOf('label')];
  return rows.map((row) => ({ from: label(row[columns.indexOf('from_clock')]), to: label(row[columns.indexOf('to_clock')]) }));
}

/** Returns the observations of an edge: readings 100 ms apart, with a drift and small errors; the ninth is outside where the trace is troubled. */
export function observationsOf(edge, isTroubled) {
  const count = edge.observations;
  const bound = edge.uncertainty_ns === null ? null : Number(edge.uncertainty_ns);
  const start = 147757000000n;
  const errors = [-300, -100, 60, 250, -320, 230, 90, 140, -220, 20, -100, -240, -20, -50];
  const at = (i) => start + BigInt(i) * 100_000_000n;
  const observations = Array.from({ length: count }, (_, i) => {
    const error = count < 3 || i === 0 || i === count - 1 ? 0 : errors[i % errors.length];
    const mapped = at(i) + 1795176184243000000n - BigInt(i * 4760) + BigInt(error);
    const isOutside = isTroubled && i === 8;
    const off = isOutside ? 18400n : 0n;
    return {
      from: String(at(i)), to: String(mapped + off), bound_ns: bound === null ? null : String(bound), mapped: String(mapped), residual_ns: String(off), ts: String(at(i)),
      file: edge.trace_id, byte_offset: edge.byte_offset === null ? null : String(Number(edge.byte_offset) + 120 * i),
    };
  });
  // As the engine has it, the bound is one from each observation to the next.
  const wide = (i) => (bound === null ? null : String(i === count - 1 ? bound : bound + 1024 + (i % 3 === 0 ? 256 : 0)));
  const curve = observations.flatMap((o, i) => {
    const next = observations[i + 1];
    const here = { from: o.from, bound_ns: wide(i), mapped: o.mapped, ts: o.ts };
    if (!next) return [here];
    const middle = (a, b) => String((BigInt(a) + BigInt(b)) / 2n);
    return [here, { from: middle(o.from, next.from), bound_ns: wide(i), mapped: middle(o.mapped, next.mapped), ts: middle(o.ts, next.ts) }];
  });
  return { edge: String(edge.id), model: 'linear', total: String(count), observations, curve };
}
