/** What lies over the data: axes of counters, bands of uncertainty, the selection, areas, marks, and the pointer. */
import type { NodeBound, TreeNode } from '../api/timeline';
import { orderWords } from '../lib/order';
import { itemFlags } from '../lib/tile_frame';
import { xOf } from '../lib/time_window';
import { countText, spanText } from '../lib/units';
import type { Composer, Placement } from './compose';
import { drawFlows, type Places } from './flows';
import { drawDumps, dumpRing, type GlobalMarks } from './global_marks';
import { drawLabels, type Fitting } from './labels';
import type { Paint } from './paint';
import type { Axis } from './prepare';
import type { Layer } from './rows';
import { drawThread } from './thread_light';
import { drawSyncPoints } from './trace_marks';
import type { TimelineView } from './view';

/** Returns a value with at most `digits` digits; integers have all theirs. */
export function valueText(value: number, unit: string | null, digits = 6): string {
  const suffix = unit ? ` ${unit}` : '';
  if (!Number.isFinite(value)) return `${String(value)}${suffix}`;
  const size = Math.abs(value);
  if (size >= 1e15 || (size > 0 && size < 1e-4)) return `${value.toExponential(3)}${suffix}`;
  // Not toLocaleString(): its first call reads the data of a locale, which takes longer than the first frame has.
  const [whole = '', fraction] = String(Number.isInteger(size) ? size : Number(size.toPrecision(digits))).split('.');
  return `${value < 0 ? '-' : ''}${countText(BigInt(whole))}${fraction === undefined ? '' : `.${fraction}`}${suffix}`;
}

/** Returns a value of a counter in words: idle states of CPUs are numbers of states, and −1 is none. */
export function counterText(node: Pick<TreeNode, 'track_type' | 'unit'>, value: number): string {
  if (node.track_type !== 'cpu_idle' || !Number.isInteger(value)) return valueText(value, node.unit);
  return value === -1 ? 'not idle' : `idle state ${value}`;
}

interface AxisLabel {
  axis: Axis;
  font: string;
  text: string;
  width: number;
}

const axisLabels = new WeakMap<Layer, AxisLabel>();

/** Returns the label of the top of a counter's axis, and its width; it is made anew when the axis or the font changes. */
function axisLabel(g: CanvasRenderingContext2D, layer: Layer, axis: Axis, font: string): AxisLabel {
  const known = axisLabels.get(layer);
  if (known?.axis === axis && known.font === font) return known;
  const text = valueText(axis.high, layer.mode === 'rate' ? `${layer.node.unit ?? ''}/s` : layer.node.unit, 4) + (axis.isLog ? ' log' : '');
  const made = { axis, font, text, width: g.measureText(text).width };
  axisLabels.set(layer, made);
  return made;
}

function counterAxes(g: CanvasRenderingContext2D, composer: Composer, paint: Paint, small: string): void {
  g.font = small;
  g.textBaseline = 'top';
  g.textAlign = 'left';
  for (let p = 0; p < composer.placementCount; p += 1) {
    const at = composer.placements[p];
    if (!at) continue;
    for (let l = 0; l < at.row.layers.length; l += 1) {
      const layer = at.row.layers[l];
      if (!layer || layer.height < 16 || (layer.node.kind !== 'counter' && layer.node.kind !== 'stacked') || layer.mode === 'summary') continue;
      const chunk = composer.resolve(layer, composer.firstTile, composer.tileCount, 0).drawn[0]?.chunk;
      const axis = chunk?.frame.kind === 2 || chunk?.frame.kind === 4 ? composer.axes.of(layer, chunk.frame) : undefined;
      const y = at.y + layer.y;
      if (!axis || y < at.clipTop) continue;
      const { text, width } = axisLabel(g, layer, axis, small);
      g.fillStyle = paint.token('bg-canvas');
      g.globalAlpha = 0.7;
      g.fillRect(2, y, width + 6, 12);
      g.globalAlpha = 1;
      g.fillStyle = paint.token('text-2');
      g.fillText(text, 5, y + 1);
    }
  }
}

/** Returns where a node's line is on the screen; the last placement wins, so rows that stick do not hide it. */
function lineOf(composer: Composer, node: number, line: number): { at: Placement; top: number; height: number } | null {
  for (let p = composer.placementCount - 1; p >= 0; p -= 1) {
    const at = composer.placements[p];
    if (!at || at.isSticky) continue;
    for (const layer of at.row.layers) {
      if (layer.node.node !== node) continue;
      const height = layer.lineHeight || layer.height;
      return { at, top: at.y + layer.y + (layer.lineHeight ? line * layer.lineHeight : 0), height };
    }
  }
  return null;
}

function hatch(g: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  g.save();
  g.beginPath();
  g.rect(x0, y0, x1 - x0, y1 - y0);
  g.clip();
  g.beginPath();
  for (let x = x0 - (y1 - y0); x < x1; x += 6) {
    g.moveTo(x, y1);
    g.lineTo(x + (y1 - y0), y0);
  }
  g.lineWidth = 1;
  g.stroke();
  g.restore();
}

/** Draws the band in which both edges of an event lie, as far as its clock is known. */
function uncertainty(g: CanvasRenderingContext2D, view: TimelineView, at: Placement, bound: NodeBound, x0: number, x1: number, paint: Paint, small: string): void {
  const { width } = view.size.value;
  if (bound.kind !== 'at_most' || !bound.ns) return;
  const ns = BigInt(bound.ns);
  const px = (Number(ns) / view.window.value.span) * width;
  if (px < 1) return;
  const top = Math.max(at.clipTop, at.y);
  const bottom = Math.min(at.clipBottom, at.y + at.row.height);
  for (const x of [x0, x1]) {
    const [left, right] = [Math.max(-8, x - px), Math.min(width + 8, x + px)];
    if (right <= left) continue;
    g.fillStyle = paint.token('band-fill');
    g.fillRect(left, top, right - left, bottom - top);
    g.strokeStyle = paint.token('band-fill');
    hatch(g, left, top, right, bottom);
    g.strokeStyle = paint.token('band-line');
    g.setLineDash([3, 3]);
    g.beginPath();
    for (const edge of [left, right]) {
      g.moveTo(Math.round(edge) + 0.5, top);
      g.lineTo(Math.round(edge) + 0.5, bottom);
    }
    g.stroke();
    g.setLineDash([]);
  }
  const text = `at most ±${spanText(ns)}`;
  g.font = small;
  const w = g.measureText(text).width + 8;
  const x = Math.min(width - w - 10, Math.max(0, x1 + Math.min(px, width) + 4));
  g.fillStyle = paint.token('uncertain-soft');
  g.fillRect(x, top, w, 14);
  g.fillStyle = paint.token('uncertain-text');
  g.textAlign = 'left';
  g.textBaseline = 'middle';
  g.fillText(text, x + 4, top + 7.5);
}

function selection(g: CanvasRenderingContext2D, view: TimelineView, composer: Composer, paint: Paint, small: string): void {
  const event = view.selection.value;
  if (!event) return;
  const { width } = view.size.value;
  const line = lineOf(composer, event.node, event.line);
  if (!line) return;
  const x0 = xOf(view.window.value, width, BigInt(event.ts));
  const x1 = Math.max(x0 + 1, xOf(view.window.value, width, BigInt(event.end)));
  if (x1 < -4 || x0 > width + 4) return;
  g.save();
  g.beginPath();
  g.rect(0, line.at.clipTop, width, line.at.clipBottom - line.at.clipTop);
  g.clip();
  uncertainty(g, view, line.at, event.place?.bound ?? line.at.row.node.bound, x0, x1, paint, small);
  const [left, right] = [Math.max(-8, Math.round(x0)), Math.min(width + 8, Math.round(x1))];
  const height = Math.max(4, line.height - 1);
  const isDot = event.kind === 'dump';
  g.lineWidth = 2;
  g.strokeStyle = paint.token('select-ring');
  if (!isDot || !dumpRing(g, x0, line, 2)) g.strokeRect(left - 1, line.top - 1, Math.max(3, right - left) + 2, height + 2);
  g.lineWidth = 1;
  g.strokeStyle = paint.token('select-gap');
  if (!isDot || !dumpRing(g, x0, line, 3.5)) g.strokeRect(left - 2.5, line.top - 2.5, Math.max(3, right - left) + 5, height + 5);
  g.restore();
}

/** Draws a line from A to B: solid if their order is certain, dashed if not, dotted if it is not known. */
function order(g: CanvasRenderingContext2D, view: TimelineView, places: Places, paint: Paint): void {
  const [a, b, found] = [view.order.first.value, view.selection.value, view.order.found.value];
  if (!a || !b || !found) return;
  const { width } = view.size.value;
  const ends = [a, b].map((event) => ({ x: xOf(view.window.value, width, BigInt(event.ts)), y: places.y(event.node, event.line) }));
  const [from, to] = ends;
  if (!from || !to || from.y === null || to.y === null) return;
  const limit = (x: number): number => Math.max(-width, Math.min(2 * width, x));
  const { look } = orderWords(found);
  g.strokeStyle = g.fillStyle = paint.token(look === 'certain' ? 'accent' : `${look}-text`);
  g.lineWidth = 1.5;
  g.setLineDash(look === 'certain' ? [] : look === 'uncertain' ? [6, 4] : [1.5, 3]);
  g.beginPath();
  g.moveTo(limit(from.x), from.y);
  g.lineTo(limit(to.x), to.y);
  g.stroke();
  g.setLineDash([]);
  g.font = `600 11px ${paint.token('font-ui')}`;
  g.textAlign = 'center';
  g.textBaseline = 'bottom';
  g.fillText('A', from.x, from.y - 5);
  g.fillText('B', to.x, to.y - 5);
}

function hovered(g: CanvasRenderingContext2D, view: TimelineView, composer: Composer, paint: Paint, small: string): void {
  const spot = view.hover.value;
  if (!spot || spot.eventRow < 0) return;
  const line = lineOf(composer, spot.node.node, spot.line);
  if (!line) return;
  const { width } = view.size.value;
  const selected = view.selection.value;
  if (spot.count === 1 && (selected?.kind !== spot.kind || selected.row !== spot.eventRow)) {
    g.save();
    g.beginPath();
    g.rect(0, line.at.clipTop, width, line.at.clipBottom - line.at.clipTop);
    g.clip();
    uncertainty(g, view, line.at, line.at.row.node.bound, spot.left, spot.right, paint, small);
    g.restore();
  }
  g.lineWidth = 1;
  g.strokeStyle = paint.token('text-1');
  if (spot.kind === 'dump' && dumpRing(g, spot.left, line, 1)) return;
  const left = Math.max(-2, Math.round(spot.left));
  const right = Math.min(width + 2, Math.max(Math.round(spot.right), left + 2));
  g.strokeRect(left + 0.5, Math.max(line.at.clipTop, line.top) + 0.5, right - left - 1, Math.max(3, line.height - 2));
}

function area(g: CanvasRenderingContext2D, view: TimelineView, composer: Composer, paint: Paint): void {
  const shown = view.area.value;
  if (!shown) return;
  const { width, height } = view.size.value;
  const left = xOf(view.window.value, width, shown.range.from);
  const right = xOf(view.window.value, width, shown.range.to);
  if (right < 0 || left > width) return;
  const keys = shown.rows === null ? null : new Set(shown.rows);
  g.fillStyle = paint.token('area-fill');
  for (let p = 0; p < composer.placementCount; p += 1) {
    const at = composer.placements[p];
    if (!at || (keys && !keys.has(at.row.key))) continue;
    const top = Math.max(at.y, at.clipTop);
    g.fillRect(left, top, right - left, Math.min(at.y + at.row.height, at.clipBottom) - top);
  }
  g.fillStyle = paint.token('area-line');
  for (const x of [left, right]) g.fillRect(Math.round(x), 0, 1, height);
}

function lines(g: CanvasRenderingContext2D, view: TimelineView, paint: Paint): void {
  const { width, height } = view.size.value;
  for (const mark of view.marks.value) {
    const x = Math.round(xOf(view.window.value, width, mark.ts));
    if (x < -1 || x > width + 1) continue;
    g.strokeStyle = paint.token('accent');
    g.lineWidth = 1;
    g.setLineDash(mark.isPinned ? [] : [3, 3]);
    g.beginPath();
    g.moveTo(x + 0.5, 0);
    g.lineTo(x + 0.5, height);
    g.stroke();
    g.setLineDash([]);
  }
  const pointer = view.pointer.value;
  if (pointer && pointer.x >= 0) {
    g.fillStyle = paint.token('text-3');
    g.globalAlpha = 0.45;
    g.fillRect(Math.round(pointer.x), 0, 1, height);
    g.globalAlpha = 1;
  }
}

/** Draws everything above the data; flows, and the order of two events, only with `places`. Returns the flows in sight. */
export function drawOverlay(g: CanvasRenderingContext2D, view: TimelineView, composer: Composer, places: Places | null, marks: GlobalMarks, paint: Paint, fitting: Fitting): number {
  const { width, height } = view.size.value;
  g.clearRect(0, 0, width, height);
  const ui = paint.token('font-ui');
  const small = `10.5px ${paint.token('font-mono')}`;
  drawThread(g, view, composer, paint);
  marks.find(composer);
  marks.draw(g, paint);
  drawSyncPoints(g, view, paint);
  // Below the names: many flows would strike them through.
  const flows = places ? drawFlows(g, view, composer, places, paint) : 0;
  drawLabels(g, view, composer, paint, fitting, (isItalic, isSmall) => `${isItalic ? 'italic ' : ''}${isSmall ? 9 : 11.5}px ${ui}`);
  counterAxes(g, composer, paint, small);
  drawDumps(g, view, composer, paint);
  area(g, view, composer, paint);
  hovered(g, view, composer, paint, small);
  selection(g, view, composer, paint, small);
  if (places) order(g, view, places, paint);
  const pinned = view.pinHeight.value;
  lines(g, view, paint);
  if (pinned > 0) {
    g.fillStyle = paint.token('line-2');
    g.fillRect(0, pinned - 2, width, 2);
  }
  return flows;
}

/** Returns what an item of a spot is, in words, beyond its name. */
export function spotWords(flags: number): string[] {
  return [
    ...(flags & itemFlags.unfinished ? ['did not finish'] : []),
    ...(flags & itemFlags.cut ? ['its end is cut by the next event'] : []),
    ...(flags & itemFlags.hasFlows ? ['has flows'] : []),
  ];
}
