/** Fills the scene of a frame: which rows are seen where, and which chunks of which level are drawn in them. */
import type { Tick } from '../lib/axis';
import { levelOf, tileBuckets, tileSpan, tilesOf, rangeOf, xOf, type TimeWindow } from '../lib/time_window';
import { Axes, noAxis } from './counter_axes';
import { fixedColour, nameColour, seriesColour } from './item_colours';
import { layoutRows, type PlaceRow } from './layout';
import { prepare, type Axis, type Prepared } from './prepare';
import type { Layer, Row } from './rows';
import { plainKinds, type Scene } from './scene';
import type { Paint } from './paint';
import type { Chunk, TileStore } from './tile_store';
import type { TimelineView } from './view';

/** A row on the screen, in CSS px. */
export interface Placement {
  row: Row;
  y: number;
  clipTop: number;
  clipBottom: number;
  isSticky: boolean;
  isPinned: boolean;
}

/** A chunk, and the part of it that is drawn, in tiles of the wanted level. */
export interface Drawn {
  chunk: Chunk;
  from: number;
  to: number;
}

interface Resolved {
  level: number;
  first: number;
  count: number;
  version: number;
  drawn: Drawn[];
  isComplete: boolean;
}

/** More items than this and all tracks are shown at a coarser level. */
const itemLimit = 150_000;

/** Rectangles, and what they depend on beside the frame. */
interface PreparedChunk {
  shape: number;
  colourMode: string;
  texts: number;
  axis: Axis;
  skipsIdle: boolean;
  items: Prepared;
}

export class Composer {
  readonly placements: Placement[] = [];
  placementCount = 0;
  level = 0;
  /** The first tile in sight at the level, and how many; valid for what draws the same frame. */
  firstTile = 0;
  tileCount = 0;
  /** Places at which the nearest level stands in for tiles that are on the way. */
  missing = 0;
  /** Items of new chunks that one frame makes into rectangles, at most a chunk more: tiles of hundreds of rows may arrive at once. */
  newItemsLimit = 16_000;
  private newItems = 0;
  /** The most new items of a frame so far, for tests. */
  mostNewItems = 0;
  private readonly resolved = new WeakMap<Layer, Resolved>();
  readonly axes = new Axes();
  /** Where the trace ends, in px: values of counters do not go on behind it. */
  private lastX = 0;
  /** The place of the first tile and the px of a tile, in device px. They are members because fractions are passed as objects. */
  private tileX = 0;
  private tilePx = 0;
  private ratio = 1;
  private coarser = 0;
  private coarserSpan = 0;

  constructor(
    private readonly view: TimelineView,
    private readonly store: TileStore,
  ) {}

  /** Places the rows that are seen. */
  layout(): void {
    this.placementCount = 0;
    layoutRows(this.view, this.place);
  }

  private readonly place: PlaceRow = (row, y, clipTop, clipBottom, isSticky, isPinned) => {
    const at = this.placements[this.placementCount];
    if (!at) this.placements.push({ row, y, clipTop, clipBottom, isSticky, isPinned });
    else {
      at.row = row;
      at.y = y;
      at.clipTop = clipTop;
      at.clipBottom = clipBottom;
      at.isSticky = isSticky;
      at.isPinned = isPinned;
    }
    this.placementCount += 1;
  };

  /** Places the rows and finds the tiles in sight. What was wanted of the store before is forgotten. */
  private aim(): { first: bigint; count: number } {
    const { view, store } = this;
    const window = view.window.value;
    this.layout();
    const wanted = levelOf(window, view.size.value.width);
    if (Math.abs(window.span - this.coarserSpan) > 1e-3 * this.coarserSpan) this.coarser = 0;
    this.level = Math.min(54, wanted + this.coarser);
    store.begin(this.level);
    const tiles = tilesOf(this.level, rangeOf(window));
    this.firstTile = Number(tiles.first);
    this.tileCount = tiles.count;
    return tiles;
  }

  /** Says which tiles are in sight, without drawing: after a jump they are asked for before the next frame. */
  want(): void {
    this.aim();
    for (let i = 0; i < this.placementCount; i += 1) {
      const at = this.placements[i];
      if (!at) continue;
      const priority = this.priorityOf(at);
      const { layers, behind } = at.row;
      if (behind) this.store.want(behind.node.node, behind.mode, this.level, this.firstTile, this.tileCount, priority);
      for (const layer of layers) this.store.want(layer.node.node, layer.mode, this.level, this.firstTile, this.tileCount, priority);
    }
  }

  /** Rows near the pointer go first. */
  private priorityOf(at: Placement): number {
    const { view } = this;
    return Math.abs(at.y + at.row.height / 2 - (view.pointer.value?.y ?? view.size.value.height / 2));
  }

  /** Composes the scene of the view; asks the store for what is missing. */
  compose(scene: Scene, paint: Paint, ticks: readonly Tick[], ratio: number): void {
    const { view, store } = this;
    const { width, height } = view.size.value;
    const window = view.window.value;
    scene.begin(Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio)), ratio);
    this.missing = 0;
    this.newItems = 0;
    const tiles = this.aim();
    this.ratio = ratio;
    this.tileX = xOf(window, width, tiles.first * tileSpan(this.level)) * ratio;
    this.tilePx = (Number(tileSpan(this.level)) / window.span) * width * ratio;
    this.background(scene, paint, ticks, ratio);
    this.lastX = xOf(window, width, view.bounds.to) * ratio;
    for (let i = 0; i < this.placementCount; i += 1) {
      const at = this.placements[i];
      if (!at) continue;
      const priority = this.priorityOf(at);
      const { layers, behind } = at.row;
      if (behind) this.layer(scene, at, behind, priority);
      // Loops by index: iterators would be objects for each row of each frame.
      for (let l = 0; l < layers.length; l += 1) {
        const layer = layers[l];
        if (layer) this.layer(scene, at, layer, priority);
      }
    }
    this.mostNewItems = Math.max(this.mostNewItems, this.newItems);
    if (this.newItems > this.newItemsLimit) view.redraw();
    store.flush();
    if (store.frame % 64 === 0) store.trim();
    const items = scene.items();
    if (items > itemLimit && this.coarser < 6) {
      this.coarser += 1;
      this.coarserSpan = window.span;
      view.redraw();
    }
  }

  private layer(scene: Scene, at: Placement, layer: Layer, priority: number): void {
    const resolved = this.resolve(layer, this.firstTile, this.tileCount, priority);
    if (!resolved.isComplete) this.missing += 1;
    for (let d = 0; d < resolved.drawn.length; d += 1) {
      const drawn = resolved.drawn[d];
      if (drawn) this.part(scene, at, layer, drawn, this.firstTile);
    }
  }

  private background(scene: Scene, paint: Paint, ticks: readonly Tick[], ratio: number): void {
    const { view } = this;
    const selected = view.focusedRow.value;
    const hovered = view.hover.value?.row.key;
    const [left, right] = [0, scene.width];
    for (let i = 0; i < this.placementCount; i += 1) {
      const at = this.placements[i];
      if (!at) continue;
      const top = Math.max(at.y, at.clipTop) * ratio;
      const bottom = Math.min(at.y + at.row.height, at.clipBottom) * ratio;
      const { type } = at.row.node;
      if (at.row.key === selected) scene.addPlain(left, top, right, bottom, paint.selected);
      else if (type === 'machine') scene.addPlain(left, top, right, bottom, paint.machine);
      else if (type === 'file' || type === 'process' || type === 'group') scene.addPlain(left, top, right, bottom, paint.group);
      else if (at.row.key === hovered) scene.addPlain(left, top, right, bottom, paint.hover);
      if (at.row.isGuessed) scene.addPlain(left, top, right, bottom, paint.guessed, plainKinds.hatched);
      if (at.row.height > 4) scene.addPlain(left, bottom - Math.max(1, Math.round(ratio)), right, bottom, paint.line);
    }
    for (const tick of ticks) scene.addPlain(tick.x * ratio, 0, tick.x * ratio + Math.max(1, Math.round(ratio)), scene.height, paint.line);
  }

  /** Finds the chunks of a layer for tiles [first, first + count) of the level, with others in the holes. */
  resolve(layer: Layer, first: number, count: number, priority: number): Resolved {
    const { level, store } = this;
    const known = this.resolved.get(layer);
    const isKnown = known && known.level === level && known.first === first && known.count === count && known.version === store.version;
    if (isKnown && known.isComplete) return this.touch(known);
    const { node } = layer.node;
    store.want(node, layer.mode, level, first, count, priority);
    if (isKnown) return this.touch(known);
    const end = first + count;
    const drawn: Drawn[] = [];
    let at = first;
    let isComplete = true;
    for (const chunk of store.chunks(node, layer.mode, level)) {
      const stop = chunk.first + chunk.tiles;
      if (stop <= first || chunk.first >= end) continue;
      if (chunk.first > at) {
        isComplete = false;
        this.standIn(layer, at, chunk.first, drawn);
      }
      drawn.push({ chunk, from: Math.max(first, chunk.first), to: Math.min(end, stop) });
      at = stop;
    }
    if (at < end) {
      isComplete = false;
      this.standIn(layer, at, end, drawn);
    }
    const resolved = { level, first, count, version: store.version, drawn, isComplete };
    this.resolved.set(layer, resolved);
    return this.touch(resolved);
  }

  private touch(resolved: Resolved): Resolved {
    for (let i = 0; i < resolved.drawn.length; i += 1) {
      const d = resolved.drawn[i];
      if (d) d.chunk.used = this.store.frame;
    }
    return resolved;
  }

  /** Fills tiles [from, to) of the level with the nearest other level at hand: coarser ones first. */
  private standIn(layer: Layer, from: number, to: number, drawn: Drawn[]): void {
    const levels = [...this.store.levelsOf(layer.node.node, layer.mode)].filter((l) => l !== this.level);
    const distance = (l: number): number => (l > this.level ? l - this.level : 1.5 * (this.level - l) + 0.5);
    levels.sort((a, b) => distance(a) - distance(b));
    for (const level of levels) {
      const scale = 2 ** (level - this.level);
      let found = false;
      for (const chunk of this.store.chunks(layer.node.node, layer.mode, level)) {
        const a = Math.max(from, chunk.first * scale);
        const b = Math.min(to, (chunk.first + chunk.tiles) * scale);
        if (b <= a) continue;
        drawn.push({ chunk, from: a, to: b });
        found = true;
      }
      if (found) return;
    }
  }

  /** Draws a chunk, or what was there before it if the frame has made enough new ones. */
  private part(scene: Scene, at: Placement, layer: Layer, drawn: Drawn, first: number): void {
    if (drawn.chunk.prepared !== null) return this.block(scene, at, layer, drawn, first);
    if (this.newItems <= this.newItemsLimit) {
      this.newItems += drawn.chunk.frame.n;
      return this.block(scene, at, layer, drawn, first);
    }
    this.missing += 1;
    const others: Drawn[] = [];
    this.standIn(layer, drawn.from, drawn.to, others);
    for (const other of others) if (other.chunk.prepared !== null) this.block(scene, at, layer, other, first);
  }

  private block(scene: Scene, at: Placement, layer: Layer, drawn: Drawn, first: number): void {
    const { ratio, tileX, tilePx } = this;
    const items = this.itemsOf(layer, drawn.chunk, at.row.behind !== null);
    if (items.n === 0) return;
    const { chunk } = drawn;
    const scale = 2 ** (chunk.level - this.level);
    const b = scene.addBlock();
    b.items = items;
    b.x = tileX + (chunk.first * scale - first) * tilePx;
    b.scale = (tilePx * scale) / (tileBuckets * 256);
    b.clipLeft = tileX + (drawn.from - first) * tilePx;
    b.clipRight = tileX + (drawn.to - first) * tilePx;
    if (chunk.frame.kind === 2 || chunk.frame.kind === 4) b.clipRight = Math.min(b.clipRight, this.lastX);
    b.y = (at.y + layer.y) * ratio;
    b.unit = (items.isLines ? layer.lineHeight || layer.height : layer.height / 65535) * ratio;
    b.clipTop = Math.max(at.clipTop, at.y + layer.y) * ratio;
    b.clipBottom = Math.min(at.clipBottom, at.y + layer.y + layer.height) * ratio;
    b.isDimmed = false;
  }

  /** Returns the rectangles of a chunk, made anew only if the colours or the names it needs have changed. */
  itemsOf(layer: Layer, chunk: Chunk, skipsIdle: boolean): Prepared {
    const { view } = this;
    const { frame } = chunk;
    const isNamed = frame.kind === 6 || frame.kind === 4;
    const known = chunk.prepared as PreparedChunk | null;
    const axis = frame.kind === 4 || frame.kind === 2 ? this.axes.of(layer, frame) : noAxis;
    const { shape } = layer;
    const colourMode = view.colourMode.value;
    const texts = isNamed ? view.textsVersion.peek() : 0;
    if (known?.shape === shape && known.colourMode === colourMode && known.texts === texts && known.axis === axis && known.skipsIdle === skipsIdle) return known.items;
    const items = prepare(frame, {
      shape, level: chunk.level, length: chunk.tiles * tileBuckets * 256, colour: fixedColour(view, layer), byDuration: colourMode === 'duration' && layer.node.kind !== 'thread_state',
      nameColour: (id) => nameColour(view, layer, id), seriesColour: (s, id) => seriesColour(view, layer, s, id), isDump: layer.node.kind === 'dump', skipsIdle, domain: axis,
    });
    chunk.prepared = { shape, colourMode, texts, axis, skipsIdle, items } satisfies PreparedChunk;
    return items;
  }
}

/** Returns where a window begins in tiles, for hit tests: px of a tile's start. */
export function chunkPlace(window: TimeWindow, width: number, chunk: Chunk): { x: number; scale: number } {
  return { x: xOf(window, width, chunk.start), scale: ((2 ** chunk.level / 256) * width) / window.span };
}
