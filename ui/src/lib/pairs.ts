/** Pairs of events that are the same moment, picked in the preview: what they say of the place of a file. No DOM. */
import { asPoints, type OffsetPlacing, type Placing, type Point, type PointsPlacing } from './manifest';
import { mobilityOf, movedPlacing } from './preview';
import type { Report } from './report_types';

/** An event that was picked in a lane. */
export interface Picked {
  /** Path of its file in the report. */
  file: string;
  ts: bigint;
  /** Reading of its clock, and the clock's name in a manifest: empty for the file's own timeline, null if it has none. */
  reading: bigint;
  clock: string | null;
  name: string;
}

/** The pairs of a file, and what they made of its placing. */
export interface Pairs {
  file: string;
  placing: Placing;
  points: readonly Point[];
}

/** Returns the reading of the other clock that a placing states for a reading of this one. */
export function otherReading(placing: OffsetPlacing | PointsPlacing, own: bigint): bigint {
  const points = placing.kind === 'points' ? placing.points : placing.drift === undefined ? [] : asPoints(placing).points;
  const [first] = points;
  if (points.length < 2 || !first) return own + (placing.kind === 'offset' ? placing.offset : first ? first.other - first.own : 0n);
  const after = points.findIndex((p, i) => i > 0 && p.own >= own);
  const right = after < 0 ? points.length - 1 : after;
  const [a, b] = [points[right - 1] ?? first, points[right] ?? first];
  const [x, dx, dy] = [own - a.own, b.own - a.own, b.other - a.other];
  const scaled = 2n * x * dy + (x < 0n ? -dx : dx); // rounds to the nearest ns
  return a.other + (dx === 0n ? x : scaled / (2n * dx));
}

const isRelation = (placing: Placing): placing is OffsetPlacing | PointsPlacing => placing.kind === 'offset' || placing.kind === 'points';

const sameText = (placing: Placing): string => JSON.stringify(Object.entries(placing).sort(([a], [b]) => (a < b ? -1 : 1)), (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

/** Returns whether pairs can place the file. */
export const canPair = (report: Report, file: string, placing: Placing): boolean => placing.kind !== 'other' && (mobilityOf(report, file) === 'free' || (isRelation(placing) && placing.own !== undefined));

/**
 * Returns the placing of the file of `moved` in which both events are one moment; with `before`, the pairs that gave
 * its placing, in which those are, too. Returns the reason as a text if there is none.
 */
export function withPair(report: Report, placing: Placing, moved: Picked, fixed: Picked, before: Pairs | null, nameOf: (file: string) => string): Pairs | string {
  const by = fixed.ts - moved.ts;
  const own = isRelation(placing) ? placing.own ?? '' : '';
  if (moved.clock !== own) return own === '' ? 'The event that was picked is not on the own timeline of its file.' : `The manifest relates ${own} of the file; pick an event of that clock.`;
  const shifted = movedPlacing(report, moved.file, placing, by, nameOf);
  if (shifted?.kind !== 'offset' && shifted?.kind !== 'points') return 'Nothing tells to which clock the file could be related.';
  const other = isRelation(placing) ? otherReading(placing, moved.reading) + by : otherReading(shifted, moved.reading);
  const isKnown = before?.file === moved.file && sameText(before.placing) === sameText(placing);
  const points = [...(isKnown ? before.points.filter((p) => p.own !== moved.reading) : []), { own: moved.reading, other }].sort((a, b) => (a.own < b.own ? -1 : 1));
  if (points.length === 1) return { file: moved.file, placing: shifted, points };
  if (points.some((p, i) => i > 0 && p.other <= (points[i - 1]?.other ?? p.other))) return 'The pairs cross: of two events of one file, the earlier one belongs to the later event of the other file.';
  const { file, clock, machine, own: ownClock, ownMachine } = shifted;
  return {
    file: moved.file, points,
    placing: { kind: 'points', file, clock, ...(machine === undefined ? {} : { machine }), ...(ownClock === undefined ? {} : { own: ownClock }), ...(ownMachine === undefined ? {} : { ownMachine }), points },
  };
}
