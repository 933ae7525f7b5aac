/** The clock graph of a trace: clocks, the evidence between them, contradictions, and the readings of one edge. */
import type { Clock, ClockGraph, Contradiction, Edge, PlacedClock, Reading, Readings } from '../lib/clock_types';
import type { MachinePair } from '../lib/machine_pairs';
import { big, bigOrNull, type Int } from '../lib/report_types';
import { call } from './http';
import { small } from './queries';

/** Rows that the page asks for at most, of each table. */
export const mostRows = 20_000;

const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
const number = (value: unknown): number => Number(value);
const numberOrNull = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));
const intOrNull = (value: unknown): bigint | null => bigOrNull((value ?? null) as Int | null);

async function rows<T>(t: string, sql: string, make: (row: readonly unknown[]) => T): Promise<T[]> {
  return (await small(t, sql)).rows.map(make);
}

const clocksSql = `SELECT c.id, c.name, c.label, coalesce(m.name, ''), coalesce(f.name, ''), c.trace_id, c.sequence, c.readings, c.segments, c.next_clock, c.next_kind
  FROM clock c LEFT JOIN machine m ON m.id = c.machine_id LEFT JOIN trace_file f ON f.id = c.trace_id ORDER BY c.id LIMIT ${mostRows}`;

const clockOf = (r: readonly unknown[]): Clock => ({
  id: number(r[0]), name: text(r[1]), label: text(r[2]), machine: text(r[3]), file: text(r[4]), isPrivate: r[5] !== null, sequence: numberOrNull(r[6]),
  readings: number(r[7]), segments: number(r[8]), next: numberOrNull(r[9]), nextKind: text(r[10]),
});

const edgesSql = `SELECT e.id, e.from_clock, e.to_clock, e.kind, e.source, e.observations, e.uncertainty_ns, coalesce(f.name, ''), e.byte_offset, e.is_used
  FROM clock_edge e LEFT JOIN trace_file f ON f.id = e.trace_id ORDER BY e.is_used DESC, e.id LIMIT ${mostRows}`;

const edgeOf = (r: readonly unknown[]): Edge => ({
  id: number(r[0]), from: number(r[1]), to: number(r[2]), kind: text(r[3]), source: text(r[4]), observations: number(r[5]),
  bound: intOrNull(r[6]), file: text(r[7]), byteOffset: intOrNull(r[8]), isUsed: number(r[9]) !== 0,
});

const placedSql = `SELECT p.clock_id, coalesce(f.name, ''), p.rule, p.placed, p.uncertainty_ns
  FROM placement p LEFT JOIN trace_file f ON f.id = p.trace_id WHERE p.clock_id IS NOT NULL ORDER BY p.id LIMIT ${mostRows}`;

const placedOf = (r: readonly unknown[]): PlacedClock => ({ clock: number(r[0]), file: text(r[1]), rule: text(r[2]), events: big(r[3] as Int), bound: intOrNull(r[4]) });

const contradictionsSql = `SELECT c.id, c.clock_a, c.clock_b, c.kind, c.observations, c.apart_ns, c.bound_ns, c.reading_a, c.reading_b, c.path_a, c.path_b, coalesce(f.name, ''), c.byte_offset
  FROM clock_contradiction c LEFT JOIN trace_file f ON f.id = c.trace_id ORDER BY c.apart_ns - c.bound_ns DESC LIMIT 1000`;

const contradictionOf = (r: readonly unknown[]): Contradiction => ({
  id: number(r[0]), a: number(r[1]), b: number(r[2]), kind: text(r[3]), observations: number(r[4]), apart: big(r[5] as Int), bound: big(r[6] as Int),
  readingA: big(r[7] as Int), readingB: big(r[8] as Int), pathA: text(r[9]), pathB: text(r[10]), file: text(r[11]), byteOffset: intOrNull(r[12]),
});

/** Returns the clock graph with what is placed by it. */
export async function clockGraph(t: string): Promise<ClockGraph> {
  const [clocks, edges, placed, contradictions, counts] = await Promise.all([
    rows(t, clocksSql, clockOf),
    rows(t, edgesSql, edgeOf),
    rows(t, placedSql, placedOf),
    rows(t, contradictionsSql, contradictionOf),
    rows(t, 'SELECT (SELECT count(*) FROM clock), (SELECT count(*) FROM clock_edge), (SELECT count(*) FROM clock_edge WHERE is_used = 1), (SELECT count(*) FROM clock_contradiction)', (r) => r.map(number)),
  ]);
  const [allClocks = 0, allEdges = 0, usedEdges = 0, allContradictions = 0] = counts[0] ?? [];
  return { clocks, edges, placed, contradictions, allClocks, allEdges, usedEdges, allContradictions };
}

interface WireReading {
  from: string;
  to?: string;
  bound_ns: string | null;
  mapped: string | null;
  ts: string | null;
  file?: number | null;
  byte_offset?: string | null;
}

const readingOf = (r: WireReading): Reading => ({
  from: big(r.from), to: big(r.to ?? r.mapped ?? r.from), bound: bigOrNull(r.bound_ns), mapped: bigOrNull(r.mapped), ts: bigOrNull(r.ts), file: r.file ?? null, byteOffset: bigOrNull(r.byte_offset ?? null),
});

/** Returns the readings that relate the two clocks of an edge; of very many, those furthest from the line. */
export async function edgeReadings(t: string, edge: number): Promise<Readings> {
  const answer = await call('GET /traces/{t}/clocks/edges/{e}/observations', { t, e: String(edge) });
  return {
    model: answer.model, total: Number(answer.total),
    observations: (answer.observations as unknown as WireReading[]).map(readingOf), curve: (answer.curve as unknown as WireReading[]).map(readingOf),
  };
}

/** What a clock shows at the start of an event. */
export interface ClockTime {
  clock: number;
  label: string;
  /** Null: nothing relates the clock, or it showed the time twice. */
  reading: bigint | null;
  bound: bigint | null;
  /** Whether it is the clock of the event, or may be. */
  isOwn: boolean;
}

/** Returns the readings of an event's own clocks, and of the wall clock of each machine at its start. */
export async function clocksAt(t: string, kind: string, row: number): Promise<ClockTime[]> {
  const { clocks } = await call('POST /traces/{t}/convert', { t }, { body: { event: { kind, row } } });
  return clocks.map((c) => ({ clock: c.clock, label: c.label, reading: bigOrNull(c.reading), bound: bigOrNull(c.bound_ns), isOwn: c.own }));
}

/** A machine id that a file contains, and the name of its machine. */
export interface InsideMachine {
  file: string;
  id: number;
  name: string;
}

const insideSql = `SELECT DISTINCT f.name, m.raw_id, coalesce(m.name, '') FROM placement p JOIN trace_file f ON f.id = p.trace_id JOIN machine m ON m.id = p.machine_id
  WHERE f.id IN (SELECT trace_id FROM placement GROUP BY trace_id HAVING count(DISTINCT machine_id) > 1) ORDER BY f.id, m.raw_id LIMIT 2000`;

/** Returns the machine ids of files with events of several machines. */
export const machinesInsideFiles = (t: string): Promise<InsideMachine[]> => rows(t, insideSql, (r) => ({ file: text(r[0]), id: number(r[1]), name: text(r[2]) }));

/** A clock of a machine, which all its files share. */
export interface MachineClock {
  clock: number;
  name: string;
  label: string;
}

const known = new Map<string, Promise<MachineClock[]>>();

/** Returns the clocks of machines that a path relates to the timeline; asks once for each trace. */
export function machineClocks(t: string): Promise<MachineClock[]> {
  const asked = known.get(t) ?? rows(t, 'SELECT id, name, label FROM clock WHERE trace_id IS NULL AND sequence IS NULL AND readings > 0 ORDER BY id LIMIT 200', (r) => ({ clock: number(r[0]), name: text(r[1]), label: text(r[2]) }));
  known.set(t, asked);
  asked.catch(() => known.delete(t));
  return asked;
}

/** Returns what a clock shows at a trace time. */
export async function clockReading(t: string, ts: bigint, clock: number): Promise<{ reading: bigint | null; bound: bigint | null }> {
  const [found] = (await call('POST /traces/{t}/convert', { t }, { body: { ts: String(ts), to: [clock] } })).clocks;
  return { reading: bigOrNull(found?.reading ?? null), bound: bigOrNull(found?.bound_ns ?? null) };
}

/** Machines whose pairs are compared; of more, those with the most events. */
const mostMachines = 12;

// Of each machine the clock with the most events, and of two clocks the largest bound at the start, in the middle and at the end.
const pairsSql = `WITH clocks AS (
    SELECT p.machine_id AS machine, iif(c.name GLOB '[0-9]*', CAST(c.name AS INTEGER), c.name) AS name, sum(p.placed) AS events,
      row_number() OVER (PARTITION BY p.machine_id ORDER BY c.sequence IS NOT NULL, sum(p.placed) DESC) AS rank
    FROM placement p JOIN clock c ON c.id = p.clock_id WHERE p.placed > 0 GROUP BY p.machine_id, c.id
  ), usual AS (SELECT * FROM clocks WHERE rank = 1 ORDER BY events DESC LIMIT ${mostMachines}),
  times(ts) AS (SELECT trace_start() UNION SELECT trace_start() + (trace_end() - trace_start()) / 2 UNION SELECT trace_end()),
  errors AS (
    SELECT a.machine AS a, b.machine AS b, clock_error(clock_convert(ts, NULL, NULL, a.name, a.machine), a.name, a.machine, b.name, b.machine) AS error
    FROM usual a JOIN usual b ON b.machine > a.machine JOIN times
  )
  SELECT e.a, x.name, e.b, y.name, iif(count(*) = count(e.error), max(e.error), NULL) FROM errors e JOIN machine x ON x.id = e.a JOIN machine y ON y.id = e.b GROUP BY e.a, e.b`;

/** Returns how exactly each two machines are related. */
export const machinePairs = (t: string): Promise<MachinePair[]> => rows(t, pairsSql, (r) => ({ a: number(r[0]), b: number(r[2]), names: [text(r[1]), text(r[3])], bound: intOrNull(r[4]) }));
