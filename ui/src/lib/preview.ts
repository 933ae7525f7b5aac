/** The preview of a merge: lanes with the density of each file's events, what may be moved, and what a moved lane snaps to. No DOM. */
import { clockNames, type OffsetPlacing, type Placing, type StartPlacing } from './manifest';
import { big, bigOrNull, type Placement, type Report } from './report_types';

/** The events of one file on the timeline. */
export interface Lane {
  /** Row of trace_file in the draft. */
  file: number;
  path: string;
  /** By which a manifest names it; empty: the name of the file. */
  name: string;
  events: bigint;
  first: bigint | null;
  last: bigint | null;
  /** Buckets of the window with events: their numbers, counts and the times of their first events. */
  buckets: number[];
  counts: number[];
  firsts: bigint[];
}

/** A slice of a file, at its place in the open trace; the length of an unfinished one is below 0. */
export interface LaneSlice {
  ts: bigint;
  dur: bigint;
  depth: number;
  name: string;
}

/** Returns the slices in rows in which none overlap, earlier ones above; those that no row has room for are left out. */
export function inRows(slices: readonly LaneSlice[], rows: number): { slice: LaneSlice; row: number }[] {
  const ends: bigint[] = [];
  const placed: { slice: LaneSlice; row: number }[] = [];
  for (const slice of slices) {
    const free = ends.findIndex((end) => end <= slice.ts);
    const row = free < 0 ? ends.length : free;
    if (row >= rows) continue;
    ends[row] = slice.ts + (slice.dur > 0n ? slice.dur : 1n);
    placed.push({ slice, row });
  }
  return placed;
}

/** A part of the timeline, ns: from `from` to before `to`. */
export interface Span {
  from: bigint;
  to: bigint;
}

const length = ({ from, to }: Span): bigint => (to > from ? to - from : 1n);

/** Returns the distance in px of a time from the left edge. */
export const xOf = (ts: bigint, span: Span, width: number): number => (Number(ts - span.from) / Number(length(span))) * width;

/** Returns the time that a distance in px means. */
export const timeOf = (px: number, span: Span, width: number): bigint => BigInt(Math.round((px / Math.max(1, width)) * Number(length(span))));

/** Returns the ticks whose labels neither run into the one before nor out of the axis. */
export function apart<T extends { x: number; text: string }>(ticks: readonly T[], width: number): T[] {
  let end = -Infinity; // of the label before
  return ticks.filter(({ x, text }) => {
    const after = x + 14 + 7 * text.length;
    if (x < end || after > width) return false;
    end = after;
    return true;
  });
}

/** Returns the whole report's time, with some room at both ends. */
export function wholeSpan(report: Report): Span {
  const times = report.placements.flatMap((p) => [bigOrNull(p.first_ts), bigOrNull(p.last_ts)]).filter((t): t is bigint => t !== null);
  if (times.length === 0) return { from: 0n, to: 1_000_000n };
  const from = times.reduce((a, b) => (a < b ? a : b));
  const to = times.reduce((a, b) => (a > b ? a : b));
  const room = (to - from) / 24n + 1n;
  return { from: from - room, to: to + room };
}

/** Returns the span zoomed by a factor around a point (0 to 1) of it; at least 100 ns long. */
export function zoomed(span: Span, factor: number, at = 0.5): Span {
  const before = Number(length(span));
  const after = Math.min(9e18, Math.max(100, before * factor));
  const from = span.from + BigInt(Math.round((before - after) * at));
  return { from, to: from + BigInt(Math.round(after)) };
}

export const panned = (span: Span, ns: bigint): Span => ({ from: span.from + ns, to: span.to + ns });

const placementsOf = (report: Report, file: string): Placement[] => report.placements.filter((p) => p.file === file);

/** What keeps a file from being moved as a whole; `free` may be moved. */
export type Mobility = 'free' | 'timeline' | 'clocks' | 'empty';

/** Returns whether a file may be moved: only one that has a timeline of its own, which is not the shared one. */
export function mobilityOf(report: Report, file: string): Mobility {
  const clocks = placementsOf(report, file);
  if (clocks.every((p) => big(p.placed) === 0n && big(p.lost) === 0n)) return 'empty';
  if (clocks.some((p) => p.clock !== 'private' && p.rule !== 'raw' && p.rule !== 'without_time')) return 'clocks';
  return clocks.some((p) => p.rule === 'is_timeline') ? 'timeline' : 'free';
}

/** Returns the placement of the clock that is the timeline, to which a moved file is related. */
export function timelineOf(report: Report): Placement | undefined {
  return report.placements.find((p) => p.rule === 'is_timeline');
}

/** Returns how a file that is moved by `by` ns is placed; null if the report does not tell what to relate it to. */
export function movedPlacing(report: Report, file: string, placing: Placing, by: bigint, nameOf: (file: string) => string): Placing | null {
  if (placing.kind === 'offset') return { ...placing, offset: placing.offset + by };
  if (placing.kind === 'points') return { ...placing, points: placing.points.map((p) => ({ ...p, other: p.other + by })) };
  if (placing.kind === 'other') return null;
  const timeline = timelineOf(report);
  const own = placementsOf(report, file).find((p) => p.offset_start_ns !== null);
  if (!timeline || !own || timeline.file === file) return null;
  const clock = timeline.clock === 'private' ? '' : timeline.clock;
  return { kind: 'offset', file: nameOf(timeline.file), clock, offset: big(own.offset_start_ns ?? 0) + by };
}

/** Returns how a clock of a file with clock snapshots, which cannot be moved as a whole, is related to the timeline where it is now; null if none can be. */
export function relatedPlacing(report: Report, file: string, nameOf: (file: string) => string): OffsetPlacing | null {
  const timeline = timelineOf(report);
  const own = clockNames.map((name) => placementsOf(report, file).find((p) => p.clock === name && p.sequence === null)).find((p) => p !== undefined);
  if (!timeline || !own || timeline.file === file) return null;
  return { kind: 'offset', file: nameOf(timeline.file), clock: timeline.clock === 'private' ? '' : timeline.clock, own: own.clock, offset: bigOrNull(own.offset_start_ns) ?? 0n };
}

/** A time that a moved lane snaps to. */
export interface Mark {
  ts: bigint;
  file: string;
  kind: 'start' | 'end' | 'event';
}

const quiet = 4; // buckets without events before a mark

/** Returns the times in a lane that stand out: its first and last event, events after a pause, and the peaks of its density. */
export function marksOf({ path, first, last, buckets, counts, firsts }: Lane): Mark[] {
  const marks: Mark[] = [];
  if (first !== null) marks.push({ ts: first, file: path, kind: 'start' });
  if (last !== null && last !== first) marks.push({ ts: last, file: path, kind: 'end' });
  const mean = counts.reduce((a, b) => a + b, 0) / Math.max(1, counts.length);
  buckets.forEach((bucket, i) => {
    const ts = firsts[i];
    const count = counts[i] ?? 0;
    const before = buckets[i - 1];
    const isAfterPause = before !== undefined && bucket - before > quiet;
    const isPeak = count > 2 * mean && count >= (counts[i - 1] ?? 0) && count > (counts[i + 1] ?? 0);
    if (ts !== undefined && ts !== first && (isAfterPause || isPeak)) marks.push({ ts, file: path, kind: 'event' });
  });
  return marks;
}

export interface Snap {
  /** How far the lane moves, ns. */
  by: bigint;
  /** What it snapped to; null: nothing is near. */
  to: Mark | null;
}

/** Returns how far a lane moves that is dragged by `by` ns: so that one of its marks meets another lane's, if they are within `reach` ns. */
export function snapped(own: readonly Mark[], others: readonly Mark[], by: bigint, reach: bigint): Snap {
  let best: Snap & { distance: bigint } = { by, to: null, distance: reach + 1n };
  const sorted = [...others].sort((a, b) => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0));
  for (const mark of own) {
    const at = mark.ts + by;
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.ts ?? 0n) < at) low = middle + 1;
      else high = middle;
    }
    for (const near of [sorted[low - 1], sorted[low]]) {
      if (!near) continue;
      const change = near.ts - at;
      const distance = change < 0n ? -change : change;
      if (distance < best.distance) best = { by: by + change, to: near, distance };
    }
  }
  return { by: best.by, to: best.to };
}

/** A way to place a file that the server suggests. */
export interface Suggestion {
  text: string;
  detail: string;
  /** Null: it cannot be applied; the detail says why. */
  placing: OffsetPlacing | StartPlacing | null;
  /** How far it moves the file, ns; null: not known. */
  by: bigint | null;
}
