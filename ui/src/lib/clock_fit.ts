/** Offsets of an edge's readings over time, with or without the drift, and the axes of their picture. No DOM. */
import type { Reading, Readings } from './clock_types';

export interface FitPoint {
  /** Time since the first observation, ns. */
  x: number;
  /** Offset against the first observation, ns; without the drift if it is removed. */
  y: number;
  bound: number | null;
  isOutside: boolean;
  /** What happened since the observation before; null: at most a drift. */
  jump: Jump | null;
  reading: Reading;
}

/** The clocks of an edge were set or stood still between two observations. */
export interface Jump {
  kind: 'step' | 'suspend' | 'set back';
  /** By how much the second clock went ahead of the first, ns. */
  by: number;
}

export interface Fit {
  points: FitPoint[];
  /** The map and its bound. */
  band: { x: number; low: number; high: number }[];
  /** Change of the offset in ns per s, from the first to the last observation. */
  drift: number;
}

const offsetOf = (r: Reading, first: Reading): number => Number(r.to - first.to - (r.from - first.from));

/** Returns true if the map, which is right within `ofMap`, misses the observation by more than both bounds. */
export const isOutside = (r: Reading, ofMap: bigint = 0n): boolean => r.mapped !== null && r.bound !== null && (r.mapped > r.to ? r.mapped - r.to : r.to - r.mapped) > r.bound + ofMap;

/** A larger change of the offset is no drift (docs/clock-model.md). */
const mostDrift = 500e-6;

const stopsInSuspend = (clock: string): boolean => clock.startsWith('MONOTONIC');

/** Returns what happened between two observations. Only clocks that stop in a suspend fall behind others by one. */
function jumpOf(before: Reading, after: Reading, names: readonly [string, string]): Jump | null {
  const by = Number(after.to - before.to - (after.from - before.from));
  if (after.from < before.from || after.to < before.to) return { kind: 'set back', by };
  const bounds = Number((before.bound ?? 0n) + (after.bound ?? 0n));
  if (Math.abs(by) <= bounds || Math.abs(by) <= mostDrift * Number(after.from - before.from)) return null;
  const [from, to] = [stopsInSuspend(names[0]), stopsInSuspend(names[1])];
  return { kind: from !== to && (from ? by > 0 : by < 0) ? 'suspend' : 'step', by };
}

/** Returns the offsets of the observations against the first one, and the band of the map. */
export function fitOf({ model, observations, curve }: Readings, isDriftRemoved: boolean, names: readonly [string, string] = ['', '']): Fit {
  const first = observations[0];
  const last = observations[observations.length - 1];
  if (!first || !last) return { points: [], band: [], drift: 0 };
  const length = Number(last.from - first.from);
  const drift = length > 0 ? offsetOf(last, first) / length : 0;
  const removed = isDriftRemoved ? drift : 0;
  // The map of paths has a bound of its own; that between the clocks is made of the observations.
  const ofPaths = new Map(model === 'paths' ? curve.map((p) => [p.from, p.bound ?? 0n]) : []);
  const points = observations.map((reading, i) => {
    const x = Number(reading.from - first.from);
    const before = observations[i - 1];
    return { x, y: offsetOf(reading, first) - removed * x, bound: reading.bound === null ? null : Number(reading.bound), isOutside: isOutside(reading, ofPaths.get(reading.from) ?? 0n), jump: before === undefined ? null : jumpOf(before, reading, names), reading };
  });
  const band = curve.flatMap((r) => {
    if (r.mapped === null || r.bound === null) return [];
    const x = Number(r.from - first.from);
    const y = Number(r.mapped - first.to - (r.from - first.from)) - removed * x;
    return [{ x, low: y - Number(r.bound), high: y + Number(r.bound) }];
  });
  return { points, band, drift: drift * 1e9 };
}

/** Returns up to about `count` round values from `from` to `to`. */
export function ticks(from: number, to: number, count: number): number[] {
  if (!(to > from)) return [from];
  const rough = (to - from) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((m) => m * power >= rough) ?? 10) * power;
  const values: number[] = [];
  for (let i = Math.ceil(from / step); i * step <= to + step * 1e-9; i += 1) values.push(i * step + 0); // no negative zero
  return values;
}

const unitSizes = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']] as const;

/** Returns the unit in which values of this size, in ns, have at least one digit before the point. */
export function unitOf(largest: number): { size: number; name: string } {
  const [size, name] = unitSizes.find(([s]) => Math.abs(largest) >= s) ?? [1, 'ns'];
  return { size, name };
}

/** Returns a number with a sign, and as many decimals as its step needs: +3, −0.5, 0. */
export function signed(value: number, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals);
  return Number(text) === 0 ? '0' : `${value < 0 ? '−' : '+'}${text}`;
}
