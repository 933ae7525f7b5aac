/** Labels on slices: which items have one, and texts that fit. Arrays are reused from frame to frame. */
import { idleColour } from '../lib/colours';
import { itemFlags } from '../lib/tile_frame';
import { chunkPlace, type Composer, type Drawn } from './compose';
import { firstBehind, itemEnd, itemStart } from './hit';
import type { Paint } from './paint';
import { shapes } from './prepare';
import type { TimelineView } from './view';

const leastWidth = 20;
const labelLimit = 4000;
const textLimit = 2048;

/** Texts cut to a width in px, with an ellipsis; kept for the texts used last. */
export class Fitting {
  /** Cut texts by a quarter of the width. */
  private readonly known = new Map<number, Map<string, string>>();
  private count = 0;
  private readonly widths = new Map<string, number>();

  constructor(private readonly measure: (text: string) => number) {}

  private width(text: string): number {
    const known = this.widths.get(text);
    if (known !== undefined) return known;
    if (this.widths.size > 4 * textLimit) this.widths.clear();
    const width = this.measure(text);
    this.widths.set(text, width);
    return width;
  }

  /** Returns the text, or as much of it as fits; empty if not even one character does. */
  fit(text: string, width: number): string {
    if (this.width(text) <= width) return text;
    const quarter = Math.floor(width / 4);
    const known = this.known.get(quarter)?.get(text);
    if (known !== undefined) return known;
    const characters = Array.from(text.slice(0, 400));
    const room = quarter * 4;
    let [low, high] = [0, characters.length];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.measure(`${characters.slice(0, middle).join('')}…`) <= room) low = middle;
      else high = middle - 1;
    }
    if (this.count > textLimit) {
      this.known.clear();
      this.count = 0;
    }
    const cut = low === 0 ? '' : `${characters.slice(0, low).join('')}…`;
    const ofWidth = this.known.get(quarter) ?? new Map<string, string>();
    this.known.set(quarter, ofWidth.set(text, cut));
    this.count += 1;
    return cut;
  }
}

const cssColours = new Map<number, string>();
const cssOf = (rgb: number): string => {
  const known = cssColours.get(rgb);
  if (known !== undefined) return known;
  const made = `#${rgb.toString(16).padStart(6, '0')}`;
  cssColours.set(rgb, made);
  return made;
};

/** Returns where an item ends that goes on behind its chunk, in px. */
function openEndOf(view: TimelineView, chunks: readonly Drawn[], from: number, line: number, row: number): number {
  for (let c = from + 1; c < chunks.length; c += 1) {
    const chunk = chunks[c]?.chunk;
    if (!chunk || chunk.frame.kind !== 1) break;
    const i = firstBehind(chunk.frame, line, 0);
    if (chunk.frame.line[i] !== line || chunk.frame.row[i] !== row) break;
    const end = itemEnd(chunk.frame, i);
    const place = chunkPlace(view.window.value, view.size.value.width, chunk);
    if (end !== Number.POSITIVE_INFINITY) return place.x + end * place.scale;
  }
  return Number.POSITIVE_INFINITY;
}

/** Draws the labels of the slices in sight. Returns their number. */
export function drawLabels(g: CanvasRenderingContext2D, view: TimelineView, composer: Composer, paint: Paint, fitting: Fitting, font: (italic: boolean, small: boolean) => string): number {
  const window = view.window.value;
  const { width } = view.size.value;
  const names = view.texts;
  const isNamed = view.colourMode.value === 'name' || view.colourMode.value === 'category';
  let drawnLabels = 0;
  let shownFont = '';
  let shownColour = '';
  g.textBaseline = 'middle';
  g.textAlign = 'left';
  for (let p = 0; p < composer.placementCount; p += 1) {
    const at = composer.placements[p];
    if (!at) continue;
    for (let l = 0; l < at.row.layers.length; l += 1) {
      const layer = at.row.layers[l];
      if (!layer || layer.lineHeight < 9 || layer.mode === 'summary') continue;
      const isThread = layer.node.kind === 'sched';
      const halfLabel = layer.lineHeight < 14 ? 4 : 6;
      const wantedFont = font(layer.node.kind === 'async', layer.lineHeight < 14);
      const chunks = composer.resolve(layer, composer.firstTile, composer.tileCount, 0).drawn;
      for (let c = 0; c < chunks.length; c += 1) {
        const drawn = chunks[c] as Drawn;
        const { frame } = drawn.chunk;
        if (frame.kind !== 1) continue;
        const place = chunkPlace(window, width, drawn.chunk);
        const scale = 2 ** (drawn.chunk.level - composer.level);
        const tile = 512 * 256 * place.scale / scale;
        const clipLeft = Math.max(0, place.x + (drawn.from - drawn.chunk.first * scale) * tile);
        const chunkRight = place.x + (drawn.to - drawn.chunk.first * scale) * tile;
        for (let i = 0; i < frame.n; i += 1) {
          const start = itemStart(frame, i);
          const end = itemEnd(frame, i);
          const right = place.x + end * place.scale;
          const left = place.x + start * place.scale;
          if (right < leastWidth || left > width - leastWidth || (right - left < leastWidth && end !== Infinity)) continue;
          const flags = frame.itemFlags[i] ?? 0;
          // What began in a chunk before has its label there, unless that is out of sight.
          if (flags & itemFlags.beganBefore && clipLeft > 0) continue;
          const from = Math.max(left, clipLeft, 0) + 4;
          const last = end === Infinity ? openEndOf(view, chunks, c, frame.line[i] ?? 0, frame.row[i] ?? 0) : Math.min(right, chunkRight);
          const to = Math.min(last, width) - 3;
          if (to - from < leastWidth - 7) continue;
          const y = at.y + layer.y + ((frame.line[i] ?? 0) + 0.5) * layer.lineHeight;
          // A label is not cut by rows that stick: a part of a name is another name.
          if (y < at.clipTop + halfLabel || y > at.clipBottom - halfLabel || (frame.line[i] ?? 0) >= layer.lines) continue;
          const id = frame.name[i] ?? 0;
          if (isThread && frame.colour[i] === idleColour) continue; // the name of an idle CPU would only hide the others
          const name = isThread ? names.thread(id) : names.text(id);
          if (!name) continue;
          const isDense = (flags & itemFlags.dense) !== 0;
          const text = fitting.fit(isDense ? `${frame.count[i] ?? 0} × ${name}` : flags & itemFlags.unfinished ? `${name} (Did Not Finish)` : name, to - from);
          if (text === '') continue;
          const colour = frame.colour[i] ?? 255;
          const css = layer.shape === shapes.async || isDense || (layer.shape === shapes.strip && flags & itemFlags.unfinished) ? paint.token('slice-text-async') : isNamed ? cssOf(paint.palette.label[colour] ?? 0) : paint.token('slice-text');
          if (wantedFont !== shownFont) g.font = shownFont = wantedFont;
          if (isDense) {
            // A ground, so that the hatch does not cut the letters.
            g.fillStyle = paint.token('bg-canvas');
            g.globalAlpha = 0.78;
            g.fillRect(from - 2, y - 6, Math.min(to - from, g.measureText(text).width) + 4, 12);
            g.globalAlpha = 1;
            shownColour = '';
          }
          if (css !== shownColour) g.fillStyle = shownColour = css;
          g.fillText(text, from, y + 0.5);
          if ((drawnLabels += 1) >= labelLimit) return drawnLabels;
        }
      }
    }
  }
  return drawnLabels;
}
