/** Instants of the whole trace and of processes: lines across their tracks, and dots of memory dumps (TEF 9.5, 9.10). */
import type { TreeNode } from '../api/timeline';
import { itemFlags } from '../lib/tile_frame';
import { chunkPlace, type Composer, type Drawn } from './compose';
import { itemStart, placementAt } from './hit';
import type { Paint } from './paint';
import { shapes } from './prepare';
import type { Layer, Row } from './rows';
import type { TimelineView } from './view';
import type { Spot } from './view_types';

/** Types of tracks whose instants concern more than their own track, and the width of their lines in px. */
const widths: ReadonlyMap<string, number> = new Map([['legacy_chrome_global_instants', 4], ['chrome_process_instant', 2]]);

/** The tracks whose instants are drawn across others, with the process that limits them; null for all tracks. */
export function markTracks(nodes: Iterable<TreeNode>): { node: TreeNode; process: number | null }[] {
  const found: { node: TreeNode; process: number | null }[] = [];
  for (const node of nodes) {
    if (node.track_type === null || !widths.has(node.track_type) || node.events === '0') continue;
    found.push({ node, process: node.track_type === 'chrome_process_instant' ? node.upid : null });
  }
  return found;
}

/** Returns the heights between which the rows of a process are, from its own row to the last one below it. */
export function processSpans(rows: readonly Row[], upid: number): { top: number; bottom: number }[] {
  const spans: { top: number; bottom: number }[] = [];
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i];
    if (row?.node.type !== 'process' || row.node.upid !== upid) continue;
    let end = i + 1;
    while ((rows[end]?.depth ?? -1) > row.depth) end += 1;
    const last = rows[end - 1] ?? row;
    spans.push({ top: row.top, bottom: last.top + last.height });
  }
  return spans;
}

/** One line that is drawn: where it is, and what it stands for. */
export interface MarkLine {
  x: number;
  width: number;
  top: number;
  bottom: number;
  node: TreeNode;
  chunk: Drawn['chunk'];
  item: number;
}

/** Finds the lines of a view; what depends on the rows and the tree only is kept. */
export class GlobalMarks {
  readonly lines: MarkLine[] = [];
  count = 0;
  private version = -1;
  private tracks: { layer: Layer; process: number | null }[] = [];
  private rows: readonly Row[] = [];
  private readonly spans = new Map<number, { top: number; bottom: number }[]>();

  constructor(private readonly view: TimelineView) {}

  private refresh(): void {
    const { view } = this;
    if (this.version !== view.treeVersion.value) {
      this.version = view.treeVersion.value;
      this.tracks = markTracks(view.tree.nodes.values()).map(({ node, process }) => ({ process, layer: { node, mode: 'value', y: 0, height: 1, lineHeight: 0, lines: 1, shape: shapes.mark } }));
    }
    if (this.rows === view.rows.value) return;
    this.rows = view.rows.value;
    this.spans.clear();
    for (const { process } of this.tracks) if (process !== null && !this.spans.has(process)) this.spans.set(process, processSpans(this.rows, process));
  }

  private add(x: number, width: number, top: number, bottom: number, node: TreeNode, chunk: Drawn['chunk'], item: number): void {
    const line = this.lines[this.count];
    if (line) Object.assign(line, { x, width, top, bottom, node, chunk, item });
    else this.lines.push({ x, width, top, bottom, node, chunk, item });
    this.count += 1;
  }

  /** Finds the lines in sight, and asks for tiles that are missing. Tracks that are hidden have none. */
  find(composer: Composer): void {
    const { view } = this;
    this.count = 0;
    this.refresh();
    if (!view.own.showsMarks.value || this.tracks.length === 0) return;
    const { width, height } = view.size.value;
    const [above, shift] = [view.pinHeight.value, view.pinHeight.value - view.scroll.value];
    for (const { layer, process } of this.tracks) {
      const spans = process === null ? null : (this.spans.get(process) ?? []);
      if (spans?.length === 0 || view.hidden.value.has(layer.node.key)) continue;
      const px = widths.get(layer.node.track_type ?? '') ?? 1;
      let last = Number.NEGATIVE_INFINITY;
      for (const { chunk } of composer.resolve(layer, composer.firstTile, composer.tileCount, 1e5).drawn) {
        const { frame } = chunk;
        if (frame.kind !== 1) continue;
        const place = chunkPlace(view.window.value, width, chunk);
        for (let i = 0; i < frame.n; i += 1) {
          if (!((frame.itemFlags[i] ?? 0) & itemFlags.instant)) continue;
          const x = Math.round(place.x + itemStart(frame, i) * place.scale);
          if (x < -px || x > width + px || x - last < px) continue;
          last = x;
          if (spans === null) this.add(x, px, 0, height, layer.node, chunk, i);
          else for (const span of spans) this.add(x, px, Math.max(above, span.top + shift), Math.min(height, span.bottom + shift), layer.node, chunk, i);
        }
      }
    }
    view.store.flush();
  }

  /** Returns the line within 3 px of a point, the nearest first. */
  at(x: number, y: number): MarkLine | null {
    let best: MarkLine | null = null;
    for (let i = 0; i < this.count; i += 1) {
      const line = this.lines[i];
      if (!line || y < line.top || y >= line.bottom || Math.abs(line.x - x) > 3) continue;
      if (!best || Math.abs(line.x - x) < Math.abs(best.x - x)) best = line;
    }
    return best;
  }

  /** Returns the instant whose line is at a point. */
  spotAt(composer: Composer, x: number, y: number): Spot | null {
    const { view } = this;
    const line = this.at(x, y);
    const at = placementAt(composer, y);
    if (line?.chunk.frame.kind !== 1 || !at) return null;
    const { frame } = line.chunk;
    const id = frame.name[line.item] ?? 0;
    const row = view.rowsByKey.value.get(line.node.key) ?? at.row;
    return {
      row, node: line.node, kind: 'slice', eventRow: frame.row[line.item] ?? 0, line: frame.line[line.item] ?? 0, name: view.texts.text(id) ?? '', nameId: id, count: frame.count[line.item] ?? 1,
      left: line.x, right: line.x + 1, flags: frame.itemFlags[line.item] ?? 0, value: null, min: null, max: null, series: null, ts: view.timeAt(line.x), x, y,
    };
  }

  draw(g: CanvasRenderingContext2D, paint: Paint): void {
    // Many lines must not hide the tracks.
    g.globalAlpha = this.count > 40 ? 0.25 : 0.5;
    for (let i = 0; i < this.count; i += 1) {
      const line = this.lines[i];
      if (!line || line.bottom <= line.top || line.chunk.frame.kind !== 1) continue;
      g.fillStyle = paint.css(line.chunk.frame.colour[line.item] ?? 255);
      g.fillRect(line.x - line.width / 2, line.top, line.width, line.bottom - line.top);
    }
    g.globalAlpha = 1;
  }
}

const dotRadius = 7;

/** Draws a ring around the dot of a memory dump, `gap` px away from it; returns false if its row is too low for dots. */
export function dumpRing(g: CanvasRenderingContext2D, x: number, line: { top: number; height: number }, gap: number): boolean {
  if (line.height < 2 * dotRadius) return false;
  g.beginPath();
  g.arc(x, line.top + line.height / 2, dotRadius + gap - 1, 0, 7);
  g.stroke();
  return true;
}

/** Draws a dot with an M at each memory dump, where the row is high enough; ticks are drawn by the renderer. */
export function drawDumps(g: CanvasRenderingContext2D, view: TimelineView, composer: Composer, paint: Paint): void {
  for (let p = 0; p < composer.placementCount; p += 1) {
    const at = composer.placements[p];
    const layer = at?.row.layers[0];
    if (!at || layer?.node.kind !== 'dump' || layer.mode === 'summary' || layer.height < 2 * dotRadius) continue;
    const { width } = view.size.value;
    const y = at.y + layer.y + layer.height / 2;
    if (y < at.clipTop + dotRadius || y > at.clipBottom - dotRadius) continue;
    g.font = `600 9px ${paint.token('font-ui')}`;
    g.textAlign = 'center';
    g.textBaseline = 'middle';
    for (const { chunk } of composer.resolve(layer, composer.firstTile, composer.tileCount, 0).drawn) {
      const { frame } = chunk;
      if (frame.kind !== 3) continue;
      const place = chunkPlace(view.window.value, width, chunk);
      for (let i = 0; i < frame.n; i += 1) {
        const x = place.x + (frame.bucket[i] ?? 0) * 256 * place.scale;
        if (x < -dotRadius || x > width + dotRadius) continue;
        const colour = paint.dumpColour(frame.worst[i] ?? 1);
        g.fillStyle = colour.fill;
        g.beginPath();
        g.arc(x, y, dotRadius, 0, 7);
        g.fill();
        g.fillStyle = colour.text;
        g.fillText('M', x, y + 0.5);
      }
    }
    g.textAlign = 'left';
  }
}
