/** Arrows of flows: of the selected event, and of all that have an end in sight. */
import { xOf } from '../lib/time_window';
import type { Composer } from './compose';
import type { Paint } from './paint';
import type { Row } from './rows';
import type { TimelineView } from './view';

/** The number that stands for the whole trace in requests of flows. */
export const wholeTrace = 0xffffffff;
const nowhere = 0xffffffff;

/** Arrows of a frame, by look: single ones, bundled ones, and those that contradict the clocks. */
class Arrows {
  readonly bundles = [new Bundle(), new Bundle(), new Bundle()] as const;
  /** What they are made of. */
  private madeOf: readonly unknown[] = [];
  /** Flows that they stand for. */
  shown = 0;
  /** How often they were placed. */
  passes = 0;
  /** True if the picture of many arrows has these. */
  isPictured = false;

  /** Returns true if other values than those of the frame before make the arrows, which are empty then. */
  isOutdated(madeOf: readonly unknown[]): boolean {
    if (madeOf.length === this.madeOf.length && madeOf.every((value, i) => value === this.madeOf[i])) return false;
    this.madeOf = madeOf;
    for (const bundle of this.bundles) bundle.clear();
    this.shown = 0;
    this.passes += 1;
    this.isPictured = false;
    return true;
  }
}

/** Finds where the events of a node are drawn: in its row, or in that of the nearest open parent. */
export class Places {
  private rows: readonly Row[] = [];
  private readonly byNode = new Map<number, { row: Row; y: number; line: number }>();
  /** The arrows of the last frame. */
  readonly arrows = new Arrows();

  constructor(private readonly view: TimelineView) {}

  /** Returns the height of a line of a node in the canvas, in px; null if the node is not shown at all. */
  y(node: number, line: number): number | null {
    const { view } = this;
    if (this.rows !== view.rows.value) {
      this.rows = view.rows.value;
      this.byNode.clear();
      for (const row of this.rows) for (const layer of row.layers) this.byNode.set(layer.node.node, { row, y: layer.y, line: layer.lineHeight });
    }
    let found = this.byNode.get(node);
    for (let at = view.tree.nodes.get(node)?.parent ?? null; !found && at !== null; at = view.tree.nodes.get(at)?.parent ?? null) {
      const parent = view.tree.nodes.get(at);
      const row = parent ? view.rowsByKey.value.get(parent.key) : undefined;
      if (!row) continue;
      found = { row, y: row.height / 2, line: 0 };
      this.byNode.set(node, found);
    }
    if (!found) return null;
    return found.row.top - view.scroll.value + view.pinHeight.value + found.y + (found.line > 0 ? (line + 0.5) * found.line : 0);
  }
}

/** Draws only flows of other categories. */
export function hideFlows(view: TimelineView, categories: ReadonlySet<string>): void {
  view.own.hiddenFlows.value = categories;
  view.store.forgetMode('flows');
  view.redraw();
}

interface Look {
  colour: string;
  width: number;
  alpha: number;
}

/** Adds the curve of an arrow to a path; it leaves and arrives horizontally. */
function curve(g: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  const bend = Math.max(12, Math.min(80, Math.abs(x1 - x0) / 2, Math.abs(y1 - y0)));
  g.moveTo(x0, y0);
  g.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1 - 3, y1);
}

/** Adds the dot at the start of an arrow and the head at its end to a path. */
function head(g: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  g.moveTo(x0 + 2, y0);
  g.arc(x0, y0, 2, 0, 7);
  if (Math.hypot(x1 - x0, y1 - y0) <= 10) return;
  g.moveTo(x1, y1);
  g.lineTo(x1 - 5, y1 - 3);
  g.lineTo(x1 - 5, y1 + 3);
}

/** Arrows of one look. They are one path, so that those that cross are not darker there, and drawing is one call. */
class Bundle {
  readonly places: number[] = [];

  clear(): this {
    this.places.length = 0;
    return this;
  }

  add(x0: number, y0: number, x1: number, y1: number): void {
    this.places.push(x0, y0, x1, y1);
  }

  draw(g: CanvasRenderingContext2D, look: Look, hasHeads: boolean): void {
    if (this.places.length === 0) return;
    g.globalAlpha = look.alpha;
    g.strokeStyle = g.fillStyle = look.colour;
    g.lineWidth = look.width;
    g.beginPath();
    for (let i = 0; i < this.places.length; i += 4) curve(g, this.places[i] ?? 0, this.places[i + 1] ?? 0, this.places[i + 2] ?? 0, this.places[i + 3] ?? 0);
    g.stroke();
    if (hasHeads) {
      g.beginPath();
      for (let i = 0; i < this.places.length; i += 4) head(g, this.places[i] ?? 0, this.places[i + 1] ?? 0, this.places[i + 2] ?? 0, this.places[i + 3] ?? 0);
      g.fill();
    }
    g.globalAlpha = 1;
  }
}

/** Draws the arrows of the selected event; those that contradict the clocks are red. */
function drawSelected(g: CanvasRenderingContext2D, view: TimelineView, places: Places, paint: Paint): void {
  const { width } = view.size.value;
  for (const flow of view.selectedFlows.value) {
    if (!flow.out || !flow.in) continue;
    const [y0, y1] = [places.y(flow.out.node, flow.out.line), places.y(flow.in.node, flow.in.line)];
    if (y0 === null || y1 === null) continue;
    const [x0, x1] = [flow.from_ts, flow.to_ts].map((ts) => xOf(view.window.value, width, BigInt(ts)));
    const bundle = new Bundle();
    bundle.add(x0 ?? 0, y0, x1 ?? 0, y1);
    // A red shadow (TEF 9.7): a thin line below, that the arrow stands out among others.
    g.shadowColor = paint.token('lost');
    g.shadowOffsetX = g.shadowOffsetY = 1.5 * Math.min(3, window.devicePixelRatio || 1);
    bundle.draw(g, { colour: paint.token(flow.violation ? 'lost' : 'accent'), width: 2, alpha: 1 }, true);
    g.shadowColor = 'transparent';
    g.shadowOffsetX = g.shadowOffsetY = 0;
  }
}

/** Above this number arrows are thin lines without heads, the paler the more there are, so that slices stay legible. */
const fewArrows = 150;

/** A picture of many arrows; it is made once. */
let many: CanvasRenderingContext2D | null = null;
let manyOf: { arrows: Arrows | null; key: string } = { arrows: null, key: '' };

/**
 * Draws bundles as one layer: drawn one by one, or as a path that the browser divides, arrows that cross would hide what is below.
 * The picture is made again if the arrows, their colour or its size changed.
 */
function drawMany(g: CanvasRenderingContext2D, ratio: number, alpha: number, look: Look, arrows: Arrows): void {
  many ??= document.createElement('canvas').getContext('2d');
  if (!many) return;
  const { width, height } = g.canvas;
  const key = `${width} ${height} ${ratio} ${look.colour}`;
  if (!arrows.isPictured || manyOf.arrows !== arrows || manyOf.key !== key) {
    if (many.canvas.width !== width || many.canvas.height !== height) Object.assign(many.canvas, { width, height });
    many.setTransform(1, 0, 0, 1, 0, 0);
    many.clearRect(0, 0, width, height);
    many.setTransform(ratio, 0, 0, ratio, 0, 0);
    for (const bundle of [arrows.bundles[0], arrows.bundles[1]]) bundle.draw(many, look, false);
    arrows.isPictured = true;
    manyOf = { arrows, key };
  }
  g.save();
  g.setTransform(1, 0, 0, 1, 0, 0);
  g.globalAlpha = alpha;
  g.drawImage(many.canvas, 0, 0);
  g.restore();
}

/** Says which tiles of flows are in sight, behind those of all tracks. */
export function wantFlows(view: TimelineView, composer: Composer): void {
  if (view.showsFlows.value) view.store.want(wholeTrace, 'flows', composer.level, composer.firstTile, composer.tileCount, 1e6);
}

/** Returns the height below which rows scroll: that of the pinned rows and of the parents that stick. */
function scrolledTop(view: TimelineView, composer: Composer): number {
  let top = view.pinHeight.value;
  for (let p = 0; p < composer.placementCount; p += 1) {
    const at = composer.placements[p];
    if (at?.isSticky) top = Math.max(top, at.y + at.row.height);
  }
  return top;
}

/** Draws the flows, except over the rows that stick or are pinned; returns how many have an end in sight, and those that are bundled or out of sight. */
export function drawFlows(g: CanvasRenderingContext2D, view: TimelineView, composer: Composer, places: Places, paint: Paint): number {
  const window = view.window.value;
  const { width, height } = view.size.value;
  const top = scrolledTop(view, composer);
  const { arrows } = places;
  g.save();
  g.beginPath();
  g.rect(0, top, width, Math.max(0, height - top));
  g.clip();
  if (view.showsFlows.value) {
    const { firstTile: first, tileCount } = composer;
    wantFlows(view, composer);
    view.store.flush();
    const [single, bundled, broken] = arrows.bundles;
    const chunks = view.store.chunks(wholeTrace, 'flows', composer.level).filter((chunk) => chunk.frame.kind === 5 && chunk.first + chunk.tiles > first && chunk.first < first + tileCount);
    // Most frames differ in what is below the pointer, or in tiles that arrived, and not in the arrows.
    const isOutdated = arrows.isOutdated([view.rows.value, view.treeVersion.value, view.scroll.value, view.pinHeight.value, top, window, width, height, ...chunks]);
    for (const chunk of chunks) {
      chunk.used = view.store.frame;
      const { frame } = chunk;
      if (!isOutdated || frame.kind !== 5) continue;
      for (let i = 0; i < frame.n; i += 1) {
        const [out, to] = [frame.outTrack[i] ?? nowhere, frame.inTrack[i] ?? nowhere];
        if (out === nowhere || to === nowhere) continue;
        // First what needs no big integers, each of which is an object.
        const y0 = places.y(out, frame.outLine[i] ?? 0);
        const y1 = places.y(to, frame.inLine[i] ?? 0);
        if (y0 === null || y1 === null || Math.max(y0, y1) < top || Math.min(y0, y1) > height) continue;
        const x0 = xOf(window, width, frame.outTs[i] ?? 0n);
        const x1 = xOf(window, width, frame.inTs[i] ?? 0n);
        if (Math.max(x0, x1) < 0 || Math.min(x0, x1) > width) continue;
        const count = frame.count[i] ?? 1;
        ((frame.flowFlags[i] ?? 0) & 1 ? broken : count > 1 ? bundled : single).add(x0, y0, x1, y1);
        arrows.shown += count;
      }
    }
    const count = (single.places.length + bundled.places.length) / 4;
    const isFew = count <= fewArrows;
    const colour = paint.token('text-3');
    // Beside those of the selected event the others step back.
    const strength = view.selectedFlows.value.length > 0 ? 0.3 : 0.55;
    const alpha = strength * Math.max(0.2, Math.min(1, Math.sqrt(fewArrows / Math.max(1, count))));
    if (isFew) {
      single.draw(g, { colour, width: 1, alpha }, true);
      bundled.draw(g, { colour, width: 1.75, alpha }, true);
    } else drawMany(g, g.canvas.width / Math.max(1, width), alpha, { colour, width: 1, alpha: 1 }, arrows);
    broken.draw(g, { colour: paint.token('lost'), width: 1, alpha: 0.9 }, true);
  }
  drawSelected(g, view, places, paint);
  g.restore();
  return view.showsFlows.value ? arrows.shown : 0;
}
