/** Ticks of the time axis and their labels, and times in full. All times are bigint nanoseconds. */
import { countText, spanText, utcText } from './units';
import type { TimeWindow } from './time_window';

export const axisFormats = ['seconds', 'timecode', 'utc', 'clock', 'raw'] as const;
export type AxisFormat = (typeof axisFormats)[number];

/** A clock of a machine that an axis shows. Over the width of an axis its drift is less than a digit of the labels. */
export interface ShownClock {
  label: string;
  /** Its reading minus trace time, in the middle of the window. */
  offset: bigint;
  /** Of the offset; null: nothing limits it. */
  bound: bigint | null;
  /** Whether it counts from 1970, so that its readings are dates. */
  isWall: boolean;
}

/** What times are counted from. */
export interface TimeOrigin {
  /** The trace's first event. */
  start: bigint;
  /** Wall-clock time minus trace time; null without a wall clock. */
  utcOffset: bigint | null;
  /** The clock of the format `clock`; null or absent without one. */
  clock?: ShownClock | null;
}

export interface Tick {
  x: number;
  text: string;
  isMajor: boolean;
  /** The width of the text in px once it was measured, else 0. */
  width: number;
}

const second = 1_000_000_000n;
const day = 86400n * second;
const longSteps = [1n, 2n, 5n, 10n, 30n, 60n, 120n, 300n, 600n, 1800n, 3600n, 7200n, 21600n, 43200n, 86400n, 2n * 86400n, 7n * 86400n, 30n * 86400n, 365n * 86400n].map((s) => s * second);

const shortSteps = Array.from({ length: 9 }, (_, power) => [1n, 2n, 5n].map((factor) => factor * 10n ** BigInt(power))).flat();
const steps = [...shortSteps, ...longSteps].map((step) => ({ step, ns: Number(step) }));

/** Returns the smallest round step of at least `ns`. */
export function tickStep(ns: number): bigint {
  for (let i = 0; i < steps.length; i += 1) {
    const s = steps[i];
    if (s && s.ns >= ns) return s.step;
  }
  return 3650n * day;
}

/** Returns the distance of major ticks: 5 or 10 steps below a second, else those of the clock face. */
export function majorStep(step: bigint): bigint {
  if (step >= second) return longSteps.find((s) => s >= 5n * step && s % step === 0n) ?? step * 10n;
  const digits = step.toString();
  return digits.startsWith('2') ? step * 5n : step * 10n;
}

const positive = (a: bigint, b: bigint): bigint => ((a % b) + b) % b;

/** Returns digits in groups of three behind the point: 148.700 204 118. */
function grouped(fraction: string): string {
  return fraction.replace(/(\d{3})(?=\d)/g, '$1\u2009');
}

/** Returns digits behind the point that a step needs: 0, 3, 6 or 9. */
const decimalsOf = (step: bigint): number => (step >= second ? 0 : step >= 1_000_000n ? 3 : step >= 1000n ? 6 : 9);

function clockText(ns: bigint, decimals: number): string {
  const sign = ns < 0n ? '−' : '';
  const value = ns < 0n ? -ns : ns;
  const two = (n: bigint): string => n.toString().padStart(2, '0');
  const seconds = value / second;
  const fraction = decimals > 0 ? `.${grouped((value % second).toString().padStart(9, '0').slice(0, decimals))}` : '';
  return `${sign}${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}${fraction}`;
}

function secondsLabel(ns: bigint, decimals: number): string {
  const value = ns < 0n ? -ns : ns;
  const fraction = decimals > 0 ? `.${grouped((value % second).toString().padStart(9, '0').slice(0, decimals))}` : '';
  return `${ns < 0n ? '−' : ''}${value / second}${fraction}`;
}

/** Returns an integer in groups of three digits. */
const digits = (ns: bigint): string => ns.toString().replace(/\B(?=(\d{3})+$)/g, '\u2009').replace('-', '−');

/** Returns the time from which a format counts. */
export function originOf(format: AxisFormat, origin: TimeOrigin): bigint {
  if (format === 'raw') return 0n;
  if (format === 'clock' && origin.clock) return -origin.clock.offset;
  return format === 'utc' && origin.utcOffset !== null ? -origin.utcOffset : origin.start;
}

const showsDates = (format: AxisFormat, origin: TimeOrigin): boolean => (format === 'utc' && origin.utcOffset !== null) || (format === 'clock' && origin.clock?.isWall === true);

/** Returns the date of a wall-clock time: Nov 21. Midnight has it in place of the time of day. */
const dateLabel = (unixNs: bigint): string => new Date(Number(unixNs / 1_000_000n)).toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** Returns the label of a time in full, with the digits that a step needs. */
export function timeLabel(ns: bigint, format: AxisFormat, origin: TimeOrigin, step: bigint): string {
  const relative = ns - originOf(format, origin);
  const decimals = decimalsOf(step);
  if (format === 'raw') return digits(ns);
  if (showsDates(format, origin)) {
    const ofDay = positive(relative, day);
    return ofDay === 0n && step >= 60n * second ? dateLabel(relative) : clockText(ofDay, decimals);
  }
  return format === 'timecode' ? clockText(relative, decimals) : `${secondsLabel(relative, decimals)}${decimals === 0 ? ' s' : ''}`;
}

/** Returns a time with all its digits, for details: 148.896 204 118 s, or the date and time. */
export function exactTime(ns: bigint, format: AxisFormat, origin: TimeOrigin): string {
  const relative = ns - originOf(format, origin);
  if (format === 'raw') return `${digits(ns)} ns`;
  if (showsDates(format, origin)) return utcText(relative, 9);
  return format === 'timecode' ? clockText(relative, 9) : `${secondsLabel(relative, 9)} s`;
}

/** Returns the label between two major ticks: the digits that change. */
function minorLabel(relative: bigint, step: bigint, major: bigint): string {
  if (step >= 1_000_000n) return `.${(positive(relative, second) / 1_000_000n).toString().padStart(3, '0')}`;
  const rest = positive(relative, major);
  return step >= 1000n ? `+${rest / 1000n}\u2009µs` : `+${rest}\u2009ns`;
}

/** The ticks of one line of an axis. They are made anew only when others come into sight, so that panning allocates little. */
export class TickLine {
  private readonly ticks: Tick[] = [];
  private from = 0n;
  private count = -1;
  private step = 0n;
  private format: AxisFormat | null = null;
  private origin: TimeOrigin | null = null;

  /** Returns the ticks of a window, until the next call; labels stand at least `minimum` px apart. */
  of(window: TimeWindow, width: number, format: AxisFormat, origin: TimeOrigin, minimum = 64): Tick[] {
    const step = width > 0 ? tickStep((window.span / width) * minimum) : second;
    const zero = originOf(format, origin);
    let first = window.from - positive(window.from - zero, step);
    if (first < window.from || (first === window.from && window.part > 0)) first += step;
    const left = Number(first - window.from) - window.part;
    const ns = Number(step);
    const count = width > 0 ? Math.max(0, Math.min(200, Math.floor((window.span - left) / ns) + 1)) : 0;
    if (first !== this.from || count !== this.count || step !== this.step || format !== this.format || origin !== this.origin) {
      this.from = first;
      this.count = count;
      this.step = step;
      this.format = format;
      this.origin = origin;
      this.label(zero);
    }
    for (let i = 0; i < this.ticks.length; i += 1) {
      const tick = this.ticks[i];
      if (tick) tick.x = ((left + i * ns) / window.span) * width;
    }
    return this.ticks;
  }

  private label(zero: bigint): void {
    const { step, format, origin, ticks } = this;
    const major = majorStep(step);
    ticks.length = 0;
    if (format === null || origin === null) return;
    for (let i = 0, at = this.from; i < this.count; i += 1, at += step) {
      const relative = at - zero;
      // Labels between major ticks have no seconds, so each whole second is major.
      const isMajor = positive(relative, major) === 0n || (step >= 1_000_000n && step < second && positive(relative, second) === 0n);
      const isFull = isMajor || i === 0 || step >= second || format === 'raw';
      ticks.push({ x: 0, isMajor, text: isFull ? timeLabel(at, format, origin, step) : minorLabel(relative, step, major), width: 0 });
    }
  }
}

/** Returns the ticks of a window; labels stand at least `minimum` px apart. */
export const ticksOf = (window: TimeWindow, width: number, format: AxisFormat, origin: TimeOrigin, minimum = 64): Tick[] => new TickLine().of(window, width, format, origin, minimum);

/** Returns a length of time; in whole nanoseconds where times are shown so. */
export const lengthText = (ns: bigint, format: AxisFormat): string => (format === 'raw' ? `${countText(ns).replace('-', '−')} ns` : spanText(ns));

/** Returns how often a span fits into a second: 26.2 Hz. */
export function frequencyText(ns: number): string {
  if (!(ns > 0)) return '';
  const hertz = 1e9 / ns;
  const [value, unit] = hertz >= 1e9 ? [hertz / 1e9, 'GHz'] : hertz >= 1e6 ? [hertz / 1e6, 'MHz'] : hertz >= 1e3 ? [hertz / 1e3, 'kHz'] : [hertz, 'Hz'];
  return `${value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toPrecision(3)} ${unit}`;
}
