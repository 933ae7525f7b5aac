/** The clock graph of a trace: clocks, the evidence between them, contradictions, and the readings of one edge. */
import type { Clock, ClockGraph, Contradiction, Edge, MapPoint, PlacedClock, Reading, Readings } from '../lib/clock_types';
import type { MachinePair } from '../lib/machine_pairs';
import { big, bigOrNull, type Int } from '../lib/report_types';
import { call, type Answer } from './http';
import { small } from './queries';

/** Rows that the page asks for at most, of clocks, edges and placements: as many as the routes give. */
const mostRows = 20_000;

const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
const number = (value: unknown): number => Number(value);
const intOrNull = (value: unknown): bigint | null => bigOrNull((value ?? null) as Int | null);

async function rows<T>(t: string, sql: string, make: (row: readonly unknown[]) => T): Promise<T[]> {
  return (await small(t, sql)).rows.map(make);
}

const clockOf = (c: Answer<'GET /traces/{t}/clocks'>['clocks'][number]): Clock => ({
  id: c.id, name: c.name, label: c.label, machine: c.machine_name ?? '', file: c.file_name ?? '', isPrivate: c.file !== null,
  sequence: c.sequence === null ? null : Number(c.sequence), readings: c.readings, segments: c.segments, next: c.next, nextKind: c.next_kind ?? '',
});

const edgeOf = (e: Answer<'GET /traces/{t}/clocks/edges'>['edges'][number]): Edge => ({
  id: e.id, from: e.from, to: e.to, kind: e.kind, source: e.source, observations: e.observations,
  bound: bigOrNull(e.bound_ns), file: e.file_name ?? '', byteOffset: bigOrNull(e.byte_offset), isUsed: e.is_used,
});

const contradictionOf = (c: Answer<'GET /traces/{t}/clocks/contradictions'>['contradictions'][number]): Contradiction => ({
  id: c.id, a: c.a, b: c.b, kind: c.kind, observations: c.observations, apart: big(c.apart_ns), bound: big(c.bound_ns),
  readingA: big(c.reading_a), readingB: big(c.reading_b), pathA: c.path_a ?? '', pathB: c.path_b ?? '', file: c.file_name ?? '', byteOffset: bigOrNull(c.byte_offset),
});

const placedSql = `SELECT p.clock_id, coalesce(f.name, ''), p.rule, p.placed, p.uncertainty_ns
  FROM placement p LEFT JOIN trace_file f ON f.id = p.trace_id WHERE p.clock_id IS NOT NULL ORDER BY p.id LIMIT ${mostRows}`;

const placedOf = (r: readonly unknown[]): PlacedClock => ({ clock: number(r[0]), file: text(r[1]), rule: text(r[2]), events: big(r[3] as Int), bound: intOrNull(r[4]) });

/** Returns the clock graph with what is placed by it. */
export async function clockGraph(t: string): Promise<ClockGraph> {
  const query = { limit: String(mostRows) };
  const [clocks, edges, contradictions, placed] = await Promise.all([
    call('GET /traces/{t}/clocks', { t }, { query }),
    call('GET /traces/{t}/clocks/edges', { t }, { query }),
    call('GET /traces/{t}/clocks/contradictions', { t }),
    rows(t, placedSql, placedOf),
  ]);
  return {
    clocks: clocks.clocks.map(clockOf), edges: edges.edges.map(edgeOf), contradictions: contradictions.contradictions.map(contradictionOf), placed,
    allClocks: clocks.total, allEdges: edges.total, usedEdges: edges.used, allContradictions: contradictions.total,
  };
}

type Observations = Answer<'GET /traces/{t}/clocks/edges/{e}/observations'>;

const pointOf = (r: Observations['curve'][number]): MapPoint => ({ from: big(r.from), bound: bigOrNull(r.bound_ns), mapped: bigOrNull(r.mapped), ts: bigOrNull(r.ts) });
const readingOf = (r: Observations['observations'][number]): Reading => ({ ...pointOf(r), to: big(r.to), file: r.file, byteOffset: bigOrNull(r.byte_offset) });

/** Returns the readings that relate the two clocks of an edge; of very many, those furthest from the line. */
export async function edgeReadings(t: string, edge: number): Promise<Readings> {
  const { model, total, observations, curve } = await call('GET /traces/{t}/clocks/edges/{e}/observations', { t, e: String(edge) });
  return { model, total: Number(total), observations: observations.map(readingOf), curve: curve.map(pointOf) };
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

/** Returns what the clock `to` shows when another one shows a reading; null without a path. */
export async function timeOf(t: string, from: number, reading: bigint, to: number): Promise<bigint | null> {
  const [found] = (await call('POST /traces/{t}/convert', { t }, { body: { ts: String(reading), from, to: [to] } })).clocks;
  return bigOrNull(found?.reading ?? null);
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
