/** What is at a point of the canvas, from the chunks that are drawn there. */
import { itemFlags, type CounterFrame, type MarkFrame, type SliceFrame, type StackedFrame } from '../lib/tile_frame';
import { rangeOf, tilesOf } from '../lib/time_window';
import { chunkPlace, type Composer, type Placement } from './compose';
import type { Layer } from './rows';
import type { Chunk } from './tile_store';
import type { TimelineView } from './view';
import type { Spot } from './view_types';

/** Kinds of events by the kind of their track. */
const eventKinds: Readonly<Record<string, string>> = { slice: 'slice', async: 'slice', counter: 'counter', stacked: 'counter' };

export const eventKind = (trackKind: string): string => eventKinds[trackKind] ?? trackKind;

/** Returns the row at a height; what sticks and what is pinned covers the others. */
export function placementAt(composer: Composer, y: number): Placement | null {
  for (let i = 0; i < composer.placementCount; i += 1) {
    const at = composer.placements[i];
    if (at && y >= Math.max(at.y, at.clipTop) && y < Math.min(at.y + at.row.height, at.clipBottom)) return at;
  }
  return null;
}

/** Returns the first item of a line that ends behind a position; items stand by line, then start. */
export function firstBehind(frame: SliceFrame, line: number, unit: number): number {
  let [low, high] = [0, frame.n];
  while (low < high) {
    const middle = (low + high) >> 1;
    const l = frame.line[middle] ?? 0;
    if (l < line || (l === line && itemEnd(frame, middle) < unit)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const itemEnd = (frame: SliceFrame, i: number): number =>
  (frame.itemFlags[i] ?? 0) & itemFlags.goesOn ? Number.POSITIVE_INFINITY : Math.max(frame.end[i] ?? 0, frame.start[i] ?? 0);

export const itemStart = (frame: SliceFrame, i: number): number => ((frame.itemFlags[i] ?? 0) & itemFlags.beganBefore ? Number.NEGATIVE_INFINITY : (frame.start[i] ?? 0));

type Found = Pick<Spot, 'eventRow' | 'name' | 'nameId' | 'count' | 'left' | 'right' | 'flags' | 'value' | 'min' | 'max' | 'series'> & { line?: number };

/** An instant this near, in px, is hit rather than the slice that it touches. */
const instantReach = 1.5;

function sliceAt(view: TimelineView, frame: SliceFrame, place: { x: number; scale: number }, line: number, x: number, isThread: boolean): (Found & { distance: number }) | null {
  const reach = 3 / place.scale;
  const unit = (x - place.x) / place.scale;
  let best: (Found & { distance: number }) | null = null;
  for (let i = firstBehind(frame, line, unit - reach); i < frame.n && frame.line[i] === line; i += 1) {
    const [start, end] = [itemStart(frame, i), itemEnd(frame, i)];
    if (start > unit + reach) break;
    const away = (unit < start ? start - unit : unit > end ? unit - end : 0) * place.scale;
    const distance = start === end && away <= instantReach ? away - instantReach : away;
    if (best && best.distance <= distance) continue;
    const id = frame.name[i] ?? 0;
    best = {
      eventRow: frame.row[i] ?? 0, name: (isThread ? view.texts.thread(id) : view.texts.text(id)) ?? '', nameId: id, count: frame.count[i] ?? 1, flags: frame.itemFlags[i] ?? 0, distance,
      left: place.x + start * place.scale, right: place.x + end * place.scale, value: null, min: null, max: null, series: null,
    };
  }
  return best;
}

function bucketAt(frame: { bucket: Uint32Array; n: number }, unit: number): number {
  let [low, high] = [0, frame.n];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((frame.bucket[middle] ?? 0) * 256 <= unit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns the value in force at a position. Its event is the last one of its bucket, known only if it is alone. */
function counterAt(frame: CounterFrame, place: { x: number; scale: number }, x: number): Found {
  const i = bucketAt(frame, (x - place.x) / place.scale);
  const left = i < 0 ? place.x : place.x + (frame.bucket[i] ?? 0) * 256 * place.scale;
  const next = i + 1 < frame.n ? place.x + (frame.bucket[i + 1] ?? 0) * 256 * place.scale : Number.POSITIVE_INFINITY;
  const isInBucket = i >= 0 && x < left + 256 * place.scale;
  return {
    eventRow: -1, name: '', nameId: -1, count: isInBucket ? (frame.count[i] ?? 1) : 1, flags: 0, left, right: next, value: i < 0 ? frame.before : (frame.last[i] ?? NaN),
    min: isInBucket ? (frame.min[i] ?? null) : null, max: isInBucket ? (frame.max[i] ?? null) : null, series: null,
  };
}

/** Returns the series of a stack that is drawn at a value; -1 above the stack. `values` holds one value a series. */
export function seriesAt(values: readonly number[], value: number): number {
  let [up, down] = [0, 0];
  for (let s = 0; s < values.length; s += 1) {
    const own = values[s] ?? 0;
    if (own > 0 && value >= up && value < (up += own)) return s;
    if (own < 0 && value < down && value >= (down += own)) return s;
  }
  return -1;
}

/** Returns the total in force at a position, with the values of all series; `value` is the one at the pointer's height. */
function stackedAt(view: TimelineView, frame: StackedFrame, place: { x: number; scale: number }, x: number, value: number): Found {
  const i = bucketAt(frame, (x - place.x) / place.scale);
  const values = Array.from({ length: frame.lines }, (_, s) => (i < 0 ? frame.before[s] : frame.last[i * frame.lines + s]) ?? NaN);
  const left = i < 0 ? place.x : place.x + (frame.bucket[i] ?? 0) * 256 * place.scale;
  const next = i + 1 < frame.n ? place.x + (frame.bucket[i + 1] ?? 0) * 256 * place.scale : Number.POSITIVE_INFINITY;
  const isInBucket = i >= 0 && x < left + 256 * place.scale;
  const at = seriesAt(values, value);
  const nameId = at < 0 ? -1 : (frame.name[at] ?? 0);
  return {
    eventRow: -1, name: nameId < 0 ? '' : (view.texts.text(nameId) ?? ''), nameId, count: 1, flags: 0, left, right: next, value: values.reduce((sum, v) => sum + v, 0), line: Math.max(0, at),
    min: isInBucket ? (frame.low[i] ?? null) : null, max: isInBucket ? (frame.high[i] ?? null) : null, series: values.map((v, s) => ({ nameId: frame.name[s] ?? 0, value: v })),
  };
}

function markAt(frame: MarkFrame, place: { x: number; scale: number }, x: number): (Found & { distance: number }) | null {
  const unit = (x - place.x) / place.scale;
  let best: (Found & { distance: number }) | null = null;
  for (const i of [bucketAt(frame, unit), bucketAt(frame, unit) + 1]) {
    if (i < 0 || i >= frame.n) continue;
    const left = place.x + (frame.bucket[i] ?? 0) * 256 * place.scale;
    const distance = Math.abs(x - left);
    if (distance > 4 || (best && best.distance <= distance)) continue;
    best = { eventRow: frame.row[i] ?? 0, name: '', nameId: -1, count: frame.count[i] ?? 1, flags: (frame.count[i] ?? 1) > 1 ? itemFlags.dense : 0, left, right: left + 1, value: null, min: null, max: null, series: null, distance };
  }
  return best;
}

function inChunk(view: TimelineView, composer: Composer, layer: Layer, chunk: Chunk, line: number, x: number, inside: number): Found | null {
  const place = chunkPlace(view.window.value, view.size.value.width, chunk);
  const { frame } = chunk;
  if (frame.kind === 1) return sliceAt(view, frame, place, line, x, layer.node.kind === 'sched');
  if (frame.kind === 2) return counterAt(frame, place, x);
  if (frame.kind === 4) {
    const { low, high } = composer.axes.ofStack(layer.node.node) ?? { low: 0, high: 0 };
    return stackedAt(view, frame, place, x, low + (1 - inside / layer.height) * (high - low));
  }
  return frame.kind === 3 ? markAt(frame, place, x) : null;
}

/** Returns the event at a point, or null. */
export function spotAt(view: TimelineView, composer: Composer, x: number, y: number): Spot | null {
  const at = placementAt(composer, y);
  if (!at) return null;
  const { width } = view.size.value;
  const tiles = tilesOf(composer.level, rangeOf(view.window.value));
  for (const layer of at.row.behind ? [...at.row.layers, at.row.behind] : at.row.layers) {
    const inside = y - at.y - layer.y;
    if (inside < 0 || inside >= layer.height || layer.mode === 'summary') continue;
    const line = layer.lineHeight > 0 ? Math.floor(inside / layer.lineHeight) : 0;
    let best: Found | null = null;
    for (const { chunk } of composer.resolve(layer, Number(tiles.first), tiles.count, 0).drawn) {
      const place = chunkPlace(view.window.value, width, chunk);
      const end = place.x + chunk.tiles * 512 * 256 * place.scale;
      if (x < place.x - 4 || x > end + 4) continue;
      const found = inChunk(view, composer, layer, chunk, line, x, inside);
      if (found && (!best || Math.abs((found.left + found.right) / 2 - x) < Math.abs((best.left + best.right) / 2 - x) || best.count > found.count)) best = found;
    }
    if (best) return { ...best, row: at.row, node: layer.node, kind: eventKind(layer.node.kind ?? ''), line: best.line ?? line, ts: view.timeAt(x), x, y };
  }
  return null;
}
