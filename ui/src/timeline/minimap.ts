/** The minimap: a band a machine with its activity over the trace, and the window as a frame. */
import { levelOf, rangeOf, tilesOf, xOf, type TimeWindow } from '../lib/time_window';
import type { TreeNode } from '../api/timeline';
import { isWithin } from './first_window';
import { chunkPlace } from './compose';
import type { Paint } from './paint';
import type { TimelineView } from './view';

/** Machines that have a band of their own; others share the last one's colour list. */
const bands = 6;

/**
 * Returns what the minimap shows: the whole trace, or the part that is shown first while the window is in it. Such a part is less than
 * a tenth of the trace, and would be a line at one place.
 */
export function minimapWindow(view: Pick<TimelineView, 'bounds' | 'firstView' | 'window'>): TimeWindow {
  const part = view.firstView?.window;
  if (part && isWithin(view.window.value, part)) return part;
  return { from: view.bounds.from, part: 0, span: Math.max(8, Number(view.bounds.to - view.bounds.from)) };
}

/** Returns the nodes that have a band. */
export function minimapNodes(view: TimelineView): TreeNode[] {
  return view.tree.children(null).slice(0, bands).flatMap((id) => view.tree.nodes.get(id) ?? []);
}

function band(g: CanvasRenderingContext2D, view: TimelineView, node: TreeNode, hue: number, top: number, height: number, width: number, paint: Paint): void {
  const whole = minimapWindow(view);
  g.fillStyle = paint.token(`machine-${(hue % 8) + 1}`);
  for (const chunk of view.store.chunks(node.node, bandMode(node), levelOf(whole, width / 2))) {
    chunk.used = Number.MAX_SAFE_INTEGER;
    const { frame } = chunk;
    if (frame.kind !== 6) continue;
    const place = chunkPlace(whole, width, chunk);
    const names = frame.names.length;
    for (let i = 0; i < frame.n; i += 1) {
      let sum = 0;
      for (let s = 0; s < names; s += 1) sum += frame.share[i * names + s] ?? 0;
      const share = Math.min(1, Math.sqrt(sum / 255));
      const h = Math.max(1, Math.round(height * (0.2 + 0.8 * share)));
      g.globalAlpha = 0.35 + 0.65 * share;
      // Whole px, so that neighbours neither overlap nor leave a gap.
      const left = Math.round(place.x + (frame.bucket[i] ?? 0) * 256 * place.scale);
      const right = Math.round(place.x + ((frame.bucket[i] ?? 0) + 1) * 256 * place.scale);
      g.fillRect(left, top + height - h, Math.max(1, right - left), h);
    }
  }
  g.globalAlpha = 1;
}

/** What the bands were drawn from, so that they are drawn again only when that has changed. */
export interface BandsKey {
  text: string;
  paint: Paint | null;
}

/** Draws the bands into a canvas of CSS size `width` x `height`, if they have changed since `drawn`. */
export function drawBands(g: CanvasRenderingContext2D, view: TimelineView, width: number, height: number, paint: Paint, drawn: BandsKey): void {
  const nodes = minimapNodes(view);
  const whole = minimapWindow(view);
  const level = levelOf(whole, width / 2);
  const tiles = tilesOf(level, rangeOf(whole));
  let text = `${width} ${height} ${whole.from} ${whole.span} ${view.searchId.value ?? ''}`;
  for (const node of nodes) {
    view.store.want(node.node, bandMode(node), level, Number(tiles.first), tiles.count, -1);
    if (view.searchId.value !== null) view.store.want(node.node, 'hits', level, Number(tiles.first), tiles.count, -1);
    text += ` ${view.store.chunks(node.node, bandMode(node), level).length} ${view.store.chunks(node.node, 'hits', level).length}`;
  }
  view.store.flush();
  if (text === drawn.text && paint === drawn.paint) return;
  drawn.text = text;
  drawn.paint = paint;
  g.clearRect(0, 0, width, height);
  const each = Math.max(4, Math.floor((height - 4) / Math.max(1, nodes.length)));
  nodes.forEach((node, i) => band(g, view, node, i, 2 + i * each, each - 3, width, paint));
  hits(g, view, width, height, paint);
}

const bandMode = (node: TreeNode): string => (node.modes.includes('summary') ? 'summary' : (node.modes[0] ?? 'summary'));

/** Draws the window and the marks over the bands. */
export function drawFrame(g: CanvasRenderingContext2D, view: TimelineView, width: number, height: number, paint: Paint): void {
  g.clearRect(0, 0, width, height);
  const whole = minimapWindow(view);
  const window = view.window.value;
  const left = Math.max(0, xOf(whole, width, window.from));
  const right = Math.min(width, Math.max(left + 3, ((Number(window.from - whole.from) + window.part + window.span) / whole.span) * width));
  g.fillStyle = paint.token('bg-panel');
  g.globalAlpha = 0.62;
  g.fillRect(0, 0, left, height);
  g.fillRect(right, 0, width - right, height);
  g.globalAlpha = 1;
  for (const mark of view.marks.value) {
    g.fillStyle = paint.token('accent');
    g.fillRect(Math.round(xOf(whole, width, mark.ts)) - 1, 0, 2, 6);
  }
  g.strokeStyle = g.fillStyle = paint.token('accent');
  g.lineWidth = 1.5;
  g.strokeRect(left + 0.75, 1, Math.max(1, right - left - 1.5), height - 2);
  for (const x of [left, right]) {
    g.beginPath();
    g.roundRect(x - 2.5, height / 2 - 8, 5, 16, 2.5);
    g.fill();
  }
}

function hits(g: CanvasRenderingContext2D, view: TimelineView, width: number, height: number, paint: Paint): void {
  if (view.searchId.value === null) return;
  const whole = minimapWindow(view);
  g.fillStyle = paint.token('uncertain');
  for (const node of minimapNodes(view)) {
    for (const chunk of view.store.chunks(node.node, 'hits', levelOf(whole, width / 2))) {
      if (chunk.frame.kind !== 7) continue;
      chunk.used = Number.MAX_SAFE_INTEGER;
      const place = chunkPlace(whole, width, chunk);
      for (let i = 0; i < chunk.frame.n; i += 1) g.fillRect(Math.round(place.x + (chunk.frame.bucket[i] ?? 0) * 256 * place.scale), height - 4, 2, 4);
    }
  }
}
