/** Where the thread under the pointer, or the selected one, runs: the other threads on the CPUs are dimmed. */
import { itemFlags } from '../lib/tile_frame';
import { chunkPlace, type Composer, type Drawn, type Placement } from './compose';
import { itemEnd, itemStart } from './hit';
import type { Paint } from './paint';
import type { Layer } from './rows';
import type { TimelineView } from './view';

/** Returns the row of `thread` whose runs are lit, or null. */
export function litThread(view: TimelineView): number | null {
  const spot = view.hover.value;
  if (spot?.kind === 'sched' && spot.count === 1) return spot.nameId;
  const event = view.selection.value;
  return event?.kind === 'sched' ? event.utid : null;
}

function drawRuns(g: CanvasRenderingContext2D, view: TimelineView, { chunk }: Drawn, at: Placement, layer: Layer, utid: number, paint: Paint): void {
  const { frame } = chunk;
  if (frame.kind !== 1) return;
  const { width } = view.size.value;
  const place = chunkPlace(view.window.value, width, chunk);
  const top = at.y + layer.y;
  for (let i = 0; i < frame.n; i += 1) {
    if (frame.name[i] !== utid || (frame.itemFlags[i] ?? 0) & itemFlags.dense) continue;
    const left = Math.max(0, place.x + itemStart(frame, i) * place.scale);
    const right = Math.min(width, place.x + itemEnd(frame, i) * place.scale);
    if (right < 0 || left > width) continue;
    g.fillStyle = paint.css(frame.colour[i] ?? 255);
    g.fillRect(left, top + (frame.line[i] ?? 0) * layer.lineHeight, Math.max(1, right - left), layer.lineHeight - 1);
  }
}

/** Dims the scheduling of all CPUs but for the runs of one thread. */
export function drawThread(g: CanvasRenderingContext2D, view: TimelineView, composer: Composer, paint: Paint): void {
  const utid = litThread(view);
  if (utid === null) return;
  const { width } = view.size.value;
  for (let p = 0; p < composer.placementCount; p += 1) {
    const at = composer.placements[p];
    if (!at) continue;
    for (const layer of at.row.layers) {
      if (layer.node.kind !== 'sched' || layer.mode === 'summary') continue;
      const top = Math.max(at.clipTop, at.y + layer.y);
      const bottom = Math.min(at.clipBottom, at.y + layer.y + layer.height);
      if (bottom <= top) continue;
      g.fillStyle = paint.token('bg-canvas');
      g.globalAlpha = 0.65;
      g.fillRect(0, top, width, bottom - top);
      g.globalAlpha = 1;
      if (at.y + layer.y < at.clipTop) continue; // a row that is partly covered is dimmed only
      for (const drawn of composer.resolve(layer, composer.firstTile, composer.tileCount, 0).drawn) drawRuns(g, view, drawn, at, layer, utid, paint);
    }
  }
}
