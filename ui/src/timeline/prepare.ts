/**
 * Items of a tile frame as rectangles for the renderers. Four words a rectangle, copied once and drawn at any zoom:
 *
 *   word 0, 1   start and end in 1/256 bucket from the chunk's start; open ends are 0 and openEnd
 *   word 2      top (low 16 bits) and bottom (high 16 bits): lines, or 1/65535 of the height, as `unit` says
 *   word 3      colour, flags of the item, ratio (0 to 255), shape: 8 bits each
 */
import { dumpColours, durationColour, idleColour, noColour } from '../lib/colours';
import type { CounterFrame, MarkFrame, SliceFrame, StackedFrame, SummaryFrame, TileFrame } from '../lib/tile_frame';
import { itemFlags, openEnd } from '../lib/tile_frame';

export const shapes = {
  /** A slice with an edge. */ slice: 0,
  /** Several events: hatched, the more the busier. */ dense: 1,
  /** The body of a counter: a soft fill. */ area: 2,
  /** A line, at least 1 px high. */ line: 3,
  /** A tick of 1 px over the whole line. */ mark: 4,
  /** Without an edge: states, summaries. */ strip: 5,
  /** An async slice: translucent, with a line on top. */ async: 6,
  /** The part of a slice without CPU time: paler, within the frame of the slice. */ rest: 7,
} as const;

export const itemWords = 4;
const full = 65535;

export interface Prepared {
  words: Uint32Array;
  n: number;
  /** True if top and bottom count lines, else parts of the height. */
  isLines: boolean;
}

/** What the height of a counter shows. */
export interface Axis {
  low: number;
  high: number;
  isLog: boolean;
}

export interface PrepareOptions {
  /** Draws slices without edges, as states, or as async. */
  shape: number;
  /** One colour for all items, or null for those of the server. */
  colour: number | null;
  /** Colours of durations instead: index by the length in ns of 1/256 bucket. */
  byDuration: boolean;
  /** The colour of a name of a summary; null if the name is not known yet. */
  nameColour(id: number): number | null;
  /** Colour of a counter's line, and of series `s` of a stacked one, whose name is `id`. */
  seriesColour(s: number, id: number): number;
  level: number;
  /** The length of the chunk in 1/256 bucket. */
  length: number;
  /** True if marks are memory dumps. */
  isDump: boolean;
  /** Leaves out idle time, so that what is behind is seen. */
  skipsIdle: boolean;
  /** The axis of a counter. */
  domain: Axis;
}

const word2 = (top: number, bottom: number): number => (top | (bottom << 16)) >>> 0;
const word3 = (colour: number, flags: number, ratio: number, shape: number): number => (colour | (flags << 8) | (ratio << 16) | (shape << 24)) >>> 0;

/** Collects rectangles; grows by doubling. */
class Words {
  words: Uint32Array;
  n = 0;

  constructor(expected: number) {
    this.words = new Uint32Array(Math.max(4, expected) * itemWords);
  }

  add(start: number, end: number, two: number, three: number): void {
    if ((this.n + 1) * itemWords > this.words.length) {
      const next = new Uint32Array(this.words.length * 2);
      next.set(this.words);
      this.words = next;
    }
    const at = this.n * itemWords;
    this.words[at] = start;
    this.words[at + 1] = end;
    this.words[at + 2] = two;
    this.words[at + 3] = three;
    this.n += 1;
  }

  done(isLines: boolean): Prepared {
    return { words: this.n * itemWords === this.words.length ? this.words : this.words.slice(0, this.n * itemWords), n: this.n, isLines };
  }
}

/** A rest without CPU time that is shorter is not drawn, in 1/256 bucket: at most 3 px. */
const leastRest = 3 * 256;

function slices(f: SliceFrame, options: PrepareOptions): Prepared {
  const out = new Words(f.n);
  const nsOfUnit = 2 ** options.level / 256;
  for (let i = 0; i < f.n; i += 1) {
    const flags = f.itemFlags[i] ?? 0;
    const line = f.line[i] ?? 0;
    const start = flags & itemFlags.beganBefore ? 0 : (f.start[i] ?? 0);
    const end = flags & itemFlags.goesOn ? openEnd : Math.max(start, f.end[i] ?? 0);
    const isDense = (flags & itemFlags.dense) !== 0;
    const isInstant = !isDense && (flags & itemFlags.instant) !== 0;
    const width = Math.max(1, end - start);
    const ratio = isDense ? Math.min(255, Math.round((255 * (f.busy[i] ?? 0)) / width)) : 255;
    const own = f.colour[i] ?? noColour;
    if (options.skipsIdle && own === idleColour && !isDense) continue;
    const colour = own === idleColour ? own : options.colour ?? (options.byDuration ? durationColour((isDense ? (f.busy[i] ?? 0) / Math.max(1, f.count[i] ?? 1) : width) * nsOfUnit) : own);
    out.add(start, end, word2(line, line + 1), word3(colour, flags, ratio, isInstant ? shapes.mark : isDense ? shapes.dense : options.shape));
    if ((flags & itemFlags.cpuTime) === 0 || (flags & itemFlags.unfinished) !== 0 || options.shape !== shapes.slice) continue;
    // CPU time stands at the left. In a chunk that begins within the rest, all of the slice is rest.
    const cpu = f.busy[i] ?? 0;
    const split = start + cpu;
    if (end !== openEnd && end - split < leastRest) continue;
    if (split >= options.length) continue;
    out.add(split, end, word2(line, line + 1), word3(colour, flags & (itemFlags.cut | (cpu === 0 ? itemFlags.beganBefore : 0)), 255, shapes.rest));
  }
  return out.done(true);
}

/** Decades that a logarithmic axis shows below the largest value; smaller values are on a linear part around 0. */
const decades = 3;

/** Returns a value as a logarithmic axis to `most` has it: 0 stays 0, and the sign stays. */
const logOf = (value: number, most: number): number => Math.sign(value) * Math.log10(1 + (10 ** decades * Math.abs(value)) / most);

/** Returns the height of a value from the top in 1/65535 of the axis. */
export function axisPlace(value: number, low: number, high: number, isLog = false): number {
  if (!(high > low)) return value > low ? 0 : full;
  const most = isLog ? Math.max(Math.abs(low), Math.abs(high)) : 0;
  const share = isLog ? (logOf(value, most) - logOf(low, most)) / (logOf(high, most) - logOf(low, most)) : (value - low) / (high - low);
  return Math.round(full * (1 - Math.min(1, Math.max(0, share))));
}

/** Returns the axis of a counter: from 0, or from its smallest value below. */
export function axisOf(low: number, high: number): { low: number; high: number } {
  return { low: Math.min(0, Number.isFinite(low) ? low : 0), high: Math.max(0, Number.isFinite(high) ? high : 0) };
}

function counter(f: CounterFrame, options: PrepareOptions): Prepared {
  const out = new Words(3 * f.n + 2);
  const { low: bottom, high: top, isLog } = options.domain;
  const placeOf = (value: number): number => axisPlace(value, bottom, top, isLog);
  const zero = placeOf(0);
  const colour = options.seriesColour(0, 0);
  const step = (from: number, to: number, value: number, flags: number): void => {
    if (Number.isNaN(value) || to <= from) return;
    const y = placeOf(value);
    out.add(from, to, word2(Math.min(y, zero), Math.max(y, zero)), word3(colour, flags, 255, shapes.area));
    out.add(from, to, word2(y, y), word3(colour, flags, 255, shapes.line));
  };
  let from = 0;
  let value = f.before;
  for (let i = 0; i < f.n; i += 1) {
    const at = (f.bucket[i] ?? 0) * 256;
    step(from, at, value, 0);
    const [min, max] = [f.min[i] ?? NaN, f.max[i] ?? NaN];
    const last = f.last[i] ?? NaN;
    const low = Math.min(min, Number.isNaN(value) ? min : value);
    const high = Math.max(max, Number.isNaN(value) ? max : value);
    // The riser from the value before, and the band of several values in one bucket.
    if (high > low) out.add(at, at, word2(placeOf(high), placeOf(low)), word3(colour, (f.count[i] ?? 0) > 1 ? itemFlags.dense : 0, 255, shapes.line));
    from = at;
    value = last;
  }
  step(from, openEnd, value, itemFlags.goesOn);
  return out.done(false);
}

/** Returns the axis of a stacked counter that also shows the totals of a frame. */
export function widened(domain: Pick<Axis, 'low' | 'high'>, f: StackedFrame): Pick<Axis, 'low' | 'high'> {
  let { low, high } = domain;
  const widen = (values: Float64Array, from: number): void => {
    let [up, down] = [0, 0];
    for (let s = 0; s < f.lines; s += 1) {
      const value = values[from + s] ?? 0;
      if (value > 0) up += value;
      else if (value < 0) down += value;
    }
    low = Math.min(low, down);
    high = Math.max(high, up);
  };
  widen(f.before, 0);
  for (let i = 0; i < f.n; i += 1) {
    // A total of a bucket may be beyond its last one; values of both signs are beyond their total.
    low = Math.min(low, f.low[i] ?? 0);
    high = Math.max(high, f.high[i] ?? 0);
    widen(f.last, i * f.lines);
  }
  return { low, high };
}

function stacked(f: StackedFrame, options: PrepareOptions): Prepared {
  const series = f.lines;
  const out = new Words(2 * (f.n + 1) * series);
  const { low, high } = options.domain;
  const colours = Array.from({ length: series }, (_, s) => options.seriesColour(s, f.name[s] ?? 0));
  const stackOf = (values: (s: number) => number, from: number, to: number): void => {
    if (to <= from) return;
    let [up, down] = [0, 0];
    for (let s = 0; s < series; s += 1) {
      const value = values(s);
      if (!Number.isFinite(value) || value === 0) continue;
      const base = value > 0 ? up : down;
      const next = base + value;
      if (value > 0) up = next;
      else down = next;
      const [a, b] = [axisPlace(Math.max(base, next), low, high), axisPlace(Math.min(base, next), low, high)];
      out.add(from, to, word2(a, b), word3(colours[s] ?? 22, 0, 255, shapes.strip));
      const edge = value > 0 ? a : b;
      out.add(from, to, word2(edge, edge), word3(colours[s] ?? 22, 0, 255, shapes.line));
    }
  };
  let from = 0;
  let last: (s: number) => number = (s) => f.before[s] ?? NaN;
  for (let i = 0; i < f.n; i += 1) {
    const at = (f.bucket[i] ?? 0) * 256;
    stackOf(last, from, at);
    from = at;
    const row = i * series;
    last = (s) => f.last[row + s] ?? NaN;
  }
  stackOf(last, from, openEnd);
  return out.done(false);
}

/** Colours of priorities of logs (fatal and error, warning, the rest) and of levels of memory dumps. */
function markColour(worst: number, usual: number, isDump: boolean): number {
  if (isDump) return dumpColours + Math.min(2, Math.max(0, worst - 1));
  if (worst >= 6) return 36; // terrible
  if (worst === 5) return 35; // bad
  return usual;
}

function marks(f: MarkFrame, options: PrepareOptions): Prepared {
  const out = new Words(f.n);
  for (let i = 0; i < f.n; i += 1) {
    const at = (f.bucket[i] ?? 0) * 256;
    const count = f.count[i] ?? 0;
    const top = Math.round(full * (1 - Math.min(1, 0.55 + 0.15 * Math.log2(Math.max(1, count)))));
    out.add(at, at, word2(top, full), word3(options.colour ?? markColour(f.worst[i] ?? 0, options.seriesColour(0, 0), options.isDump), count > 1 ? itemFlags.dense : 0, 255, shapes.mark));
  }
  return out.done(false);
}

function summary(f: SummaryFrame, options: PrepareOptions): Prepared {
  const names = f.names.length;
  const colours = Array.from(f.names, (id) => options.nameColour(id) ?? 22);
  const out = new Words(f.n * names);
  for (let i = 0; i < f.n; i += 1) {
    const at = (f.bucket[i] ?? 0) * 256;
    let sum = 0;
    let whole = 0;
    for (let s = 0; s < names; s += 1) whole += f.share[i * names + s] ?? 0;
    // Small shares stay visible; large ones keep their order.
    const scale = whole === 0 ? 0 : Math.max(0.12, Math.min(1, Math.sqrt(whole / 255))) / whole;
    for (let s = 0; s < names; s += 1) {
      const share = (f.share[i * names + s] ?? 0) * scale;
      if (share === 0) continue;
      const bottom = Math.round(full * (1 - sum));
      sum += share;
      out.add(at, at + 256, word2(Math.max(0, Math.round(full * (1 - sum))), bottom), word3(colours[s] ?? 22, 0, 255, shapes.strip));
    }
  }
  return out.done(false);
}

/** Returns the rectangles of a frame; frames of flows have none. */
export function prepare(frame: TileFrame, options: PrepareOptions): Prepared {
  switch (frame.kind) {
    case 1: return slices(frame, options);
    case 2: return counter(frame, options);
    case 4: return stacked(frame, options);
    case 6: return summary(frame, options);
    case 3:
    case 7: return marks(frame, options);
    default: return { words: new Uint32Array(0), n: 0, isLines: false };
  }
}
