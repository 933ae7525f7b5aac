/**
 * The shown stretch of time. Absolute times are bigint nanoseconds, as merges span months; only differences to the
 * window become numbers.
 */

/** Begins at `from` + `part` (0 to 1 ns) and is `span` nanoseconds long. */
export interface TimeWindow {
  from: bigint;
  part: number;
  span: number;
}

export interface TimeRange {
  from: bigint;
  to: bigint;
}

/** The shortest window, in nanoseconds. */
export const shortestSpan = 8;

/** Returns a window moved by nanoseconds, which may be fractions. */
export function moved(window: TimeWindow, ns: number): TimeWindow {
  const whole = Math.floor(window.part + ns);
  return { from: window.from + BigInt(whole), part: window.part + ns - whole, span: window.span };
}

/** Returns the length of the longest window: 110 % of the trace. */
export const longestSpan = (bounds: TimeRange): number => Math.max(shortestSpan, Number(bounds.to - bounds.from) * 1.1);

/** Returns the window within its limits: its length, and at least its middle within the trace. */
export function limited(window: TimeWindow, bounds: TimeRange): TimeWindow {
  const span = Math.min(Math.max(window.span, shortestSpan), longestSpan(bounds));
  let next = span === window.span ? window : { ...moved(window, (window.span - span) / 2), span };
  const half = span / 2;
  // The middle is placed anew from the bound, as the way to it may be too long for a number to be exact.
  if (Number(bounds.from - next.from) - next.part > half) next = moved({ from: bounds.from, part: 0, span }, -half);
  else if (Number(next.from - bounds.to) + next.part > -half) next = moved({ from: bounds.to, part: 0, span }, -half);
  return next;
}

/** Returns a window that shows a range with a margin of 5 % at each side. */
export function fitted(range: TimeRange): TimeWindow {
  const length = Number(range.to - range.from);
  const span = Math.max(length * 1.1, shortestSpan);
  return moved({ from: range.from, part: 0, span }, -(span - length) / 2);
}

/** Returns the window scaled by `factor`, so that the time at `share` (0 left to 1 right) stays there. */
export function zoomed(window: TimeWindow, factor: number, share: number, bounds: TimeRange): TimeWindow {
  const span = Math.min(Math.max(window.span * factor, shortestSpan), longestSpan(bounds));
  return limited({ ...moved(window, (window.span - span) * share), span }, bounds);
}

/** Returns the place of a time, in px from the left edge. */
export function xOf(window: TimeWindow, width: number, ns: bigint): number {
  return ((Number(ns - window.from) - window.part) / window.span) * width;
}

/** Returns the time at a place, rounded down to nanoseconds. */
export function timeAt(window: TimeWindow, width: number, x: number): bigint {
  return window.from + BigInt(Math.floor(window.part + (x / Math.max(1, width)) * window.span));
}

/** Returns the window as a range that contains it. */
export const rangeOf = (window: TimeWindow): TimeRange => ({ from: window.from, to: window.from + BigInt(Math.ceil(window.part + window.span)) });

/** Returns the smallest level whose buckets are at least half a pixel wide (docs/spec/viewer.md 5.7). */
export function levelOf(window: TimeWindow, width: number): number {
  const half = (0.5 * window.span) / Math.max(1, width);
  return Math.min(54, Math.max(0, Math.ceil(Math.log2(half) - 1e-9)));
}

/** Buckets of a tile. */
export const tileBuckets = 512;

/** Returns the nanoseconds of a tile. */
export const tileSpan = (level: number): bigint => BigInt(tileBuckets) << BigInt(level);

/** Returns the number of the tile that has a time; tiles before time 0 are negative. */
export function tileAt(level: number, ns: bigint): bigint {
  return ns >> BigInt(level + 9); // an arithmetic shift rounds down
}

/** Times are 64 bits wide; the margins of a window may be beyond. */
const firstTime = -(2n ** 63n);
const lastTime = 2n ** 63n - 1n;
const clamped = (ns: bigint): bigint => (ns < firstTime ? firstTime : ns > lastTime ? lastTime : ns);

/** Returns the tiles of a range: the first one, and how many. */
export function tilesOf(level: number, range: TimeRange): { first: bigint; count: number } {
  const first = tileAt(level, clamped(range.from));
  return { first, count: Number(tileAt(level, clamped(range.to - (range.to > range.from ? 1n : 0n))) - first) + 1 };
}

/** Returns the place of a tile's start in px, and the px of 1/256 bucket. */
export function tilePlace(window: TimeWindow, width: number, level: number, first: bigint): { x: number; scale: number } {
  return { x: xOf(window, width, first * tileSpan(level)), scale: ((2 ** level / 256) * width) / window.span };
}
