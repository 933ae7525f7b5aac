/** The renderer for machines without a GPU: writes the pixels of a scene into an array, shown by one putImageData. */
import { itemFlags, openEnd } from '../lib/tile_frame';
import { toneCount, tones, type Paint } from './paint';
import { itemWords, shapes } from './prepare';
import { plainKinds, type Block, type Scene } from './scene';

export interface Renderer {
  readonly name: 'raster' | 'GL';
  /** Draws a scene; returns the number of draw calls. */
  draw(scene: Scene, paint: Paint): number;
  /** Returns the bytes uploaded with the last draw. */
  readonly uploaded: number;
}

/** Returns the colour between two pixels. */
export function mixedPixel(a: number, b: number, share: number): number {
  const part = (shift: number): number => (((a >>> shift) & 255) + (((b >>> shift) & 255) - ((a >>> shift) & 255)) * share) & 255;
  return 0xff000000 | (part(16) << 16) | (part(8) << 8) | part(0);
}

/** Pixels of hatch lines in a period of 8, by the busy share. Most of a narrow item has its colour, so that it is seen alone. */
export const hatchWidth = (ratio: number, isNarrow: boolean): number => Math.max(isNarrow ? 5 : 2, 2 + ((ratio * 5) >> 8));

/** Height of the notch of a dense item with an instant. */
export const notchOf = (height: number, px: number): number => Math.max(px, Math.floor(0.3 * height));

/** A picture of `width` times `height` pixels. */
export interface Picture {
  pixels: Int32Array;
  width: number;
  height: number;
}

function fillRect({ pixels, width }: Picture, x0: number, y0: number, x1: number, y1: number, pixel: number): void {
  if (x1 - x0 < 12) {
    for (let y = y0; y < y1; y += 1) {
      const row = y * width;
      for (let x = x0; x < x1; x += 1) pixels[row + x] = pixel;
    }
    return;
  }
  for (let y = y0; y < y1; y += 1) pixels.fill(pixel, y * width + x0, y * width + x1);
}

function hatchRect({ pixels, width }: Picture, x0: number, y0: number, x1: number, y1: number, anchor: number, lines: number, pixel: number): void {
  for (let y = y0; y < y1; y += 1) {
    const row = y * width;
    const shift = y - anchor;
    for (let x = x0; x < x1; x += 1) if (((x + shift) & 7) < lines) pixels[row + x] = pixel;
  }
}

/** Fades a rectangle to the right, from 40 % of its width on. */
function fadeRect(picture: Picture, x0: number, y0: number, x1: number, y1: number, left: number, right: number, from: number, to: number): void {
  const start = left + 0.4 * (right - left);
  for (let x = Math.max(x0, Math.floor(start)); x < x1; x += 1) {
    const share = Math.min(0.85, (0.85 * (x - start)) / Math.max(1, right - start));
    fillRect(picture, x, y0, x + 1, y1, mixedPixel(from, to, Math.max(0, share)));
  }
}

/** Draws the items of a block. Edges are where an item begins or ends in sight, not where it is cut by the tile. */
export function drawBlock(picture: Picture, block: Block, paint: Paint, ratio: number): void {
  const { words, n, isLines } = block.items;
  const { table } = paint;
  const shift = block.isDimmed ? toneCount * 256 : 0;
  const left = Math.max(0, Math.round(block.clipLeft));
  const right = Math.min(picture.width, Math.round(block.clipRight));
  const topLimit = Math.max(0, Math.round(block.clipTop));
  const bottomLimit = Math.min(picture.height, Math.round(block.clipBottom));
  const gap = isLines && block.unit >= 6 * ratio ? Math.round(ratio) : 0;
  const px = Math.max(1, Math.round(ratio));
  for (let i = 0; i < n; i += 1) {
    const at = i * itemWords;
    const start = words[at] ?? 0;
    const end = words[at + 1] ?? 0;
    const three = words[at + 3] ?? 0;
    const flags = (three >>> 8) & 255;
    const isOpenLeft = (flags & itemFlags.beganBefore) !== 0;
    let x0 = isOpenLeft ? left : Math.round(block.x + start * block.scale);
    let x1 = end === openEnd ? right : Math.round(block.x + end * block.scale);
    const shape = three >>> 24;
    if (shape === shapes.mark) x1 = x0 + px;
    else if (x1 <= x0) x1 = x0 + px;
    if (x1 <= left || x0 >= right) continue;
    const two = words[at + 2] ?? 0;
    let y0 = Math.round(block.y + (two & 0xffff) * block.unit);
    let y1 = Math.round(block.y + (two >>> 16) * block.unit) - gap;
    if (y1 - y0 < px) y1 = y0 + px;
    const ownLeft = x0;
    const ownRight = x1;
    x0 = Math.max(x0, left);
    x1 = Math.min(x1, right);
    const ownTop = y0;
    const ownBottom = y1;
    y0 = Math.max(y0, topLimit);
    y1 = Math.min(y1, bottomLimit);
    if (y1 <= y0) continue;
    // Where the tones of the colour are. A function for them would be an object for each item of each frame.
    const at0 = shift + (three & 255);
    const edge = table[at0 + tones.edge * 256] ?? 0;
    switch (shape) {
      case shapes.slice:
      case shapes.async: {
        const body = table[at0 + (shape === shapes.async ? tones.async : tones.fill) * 256] ?? 0;
        if (ownRight - ownLeft < 3 * px) {
          fillRect(picture, x0, y0, x1, y1, edge);
          break;
        }
        fillRect(picture, x0, y0, x1, y1, body);
        if (flags & itemFlags.unfinished) fadeRect(picture, x0, y0, x1, y1, ownLeft, ownRight, body, paint.canvas);
        const hasTop = ownTop === y0 && (shape === shapes.async || paint.isFramed);
        if (hasTop) fillRect(picture, x0, y0, x1, Math.min(y1, y0 + px), edge);
        if (paint.isFramed && shape === shapes.slice) fillRect(picture, x0, Math.max(y0, y1 - px), x1, y1, edge);
        if (ownLeft === x0 && !isOpenLeft) fillRect(picture, x0, y0, Math.min(x1, x0 + px), y1, edge);
        if (paint.isFramed && ownRight === x1 && end !== openEnd && !(flags & itemFlags.unfinished)) fillRect(picture, Math.max(x0, x1 - px), y0, x1, y1, edge);
        if (flags & itemFlags.cut && ownRight === x1) for (let y = y0; y < y1; y += 1) if (((y - ownTop) & 3) < 2) fillRect(picture, Math.max(x0, x1 - 2 * px), y, x1, y + 1, paint.lost);
        break;
      }
      case shapes.dense:
        fillRect(picture, x0, y0, x1, y1, table[at0 + tones.hatch * 256] ?? 0);
        // The hatch goes on from item to item: alone, one of a few px would look like a single event.
        hatchRect(picture, x0, y0, x1, y1, Math.round(block.x) + ownTop, hatchWidth((three >>> 16) & 255, ownRight - ownLeft < 4 * px), edge);
        // A notch at the top, so that many narrow items keep their colours.
        if (flags & itemFlags.instant && ownLeft === x0) fillRect(picture, x0, y0, Math.min(x1, x0 + px), Math.min(y1, ownTop + notchOf(ownBottom - ownTop, px)), paint.instant);
        break;
      case shapes.rest: {
        if (ownRight - ownLeft < 3 * px) break;
        const frame = paint.isFramed ? px : 0;
        const from = isOpenLeft ? x0 : Math.max(x0, ownLeft + px);
        const to = end === openEnd ? x1 : Math.min(x1, ownRight - (flags & itemFlags.cut ? 2 * px : frame));
        fillRect(picture, from, Math.max(y0, ownTop + frame), to, Math.min(y1, ownBottom - frame), table[at0 + tones.rest * 256] ?? 0);
        break;
      }
      case shapes.area:
        fillRect(picture, x0, y0, x1, y1, table[at0 + tones.soft * 256] ?? 0);
        break;
      case shapes.line:
      case shapes.mark:
        fillRect(picture, x0, y0, x1, y1, edge);
        break;
      default:
        fillRect(picture, x0, y0, x1, y1, table[at0 + (flags & itemFlags.unfinished ? tones.soft : tones.fill) * 256] ?? 0);
    }
  }
}

/** Draws a whole scene into a picture. */
export function drawScene(picture: Picture, scene: Scene, paint: Paint): void {
  picture.pixels.fill(paint.canvas);
  const { plain } = scene;
  for (let i = 0; i < scene.plains; i += 1) {
    const at = 6 * i;
    const x0 = Math.max(0, Math.round(plain[at] ?? 0));
    const y0 = Math.max(0, Math.round(plain[at + 1] ?? 0));
    const x1 = Math.min(picture.width, Math.round(plain[at + 2] ?? 0));
    const y1 = Math.min(picture.height, Math.round(plain[at + 3] ?? 0));
    if (x1 <= x0 || y1 <= y0) continue;
    const pixel = (plain[at + 4] ?? 0) | 0;
    if (plain[at + 5] === plainKinds.hatched) hatchRect(picture, x0, y0, x1, y1, 0, 2, pixel);
    else fillRect(picture, x0, y0, x1, y1, pixel);
  }
  for (let i = 0; i < scene.blockCount; i += 1) {
    const block = scene.blocks[i];
    if (block) drawBlock(picture, block, paint, scene.ratio);
  }
}

/** Makes the raster renderer of a canvas. */
export function rasterRenderer(canvas: HTMLCanvasElement): Renderer {
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('This browser has no 2D canvas.');
  let image: ImageData | null = null;
  let picture: Picture = { pixels: new Int32Array(0), width: 0, height: 0 };
  return {
    name: 'raster',
    uploaded: 0,
    draw(scene, paint) {
      if (!image || picture.width !== scene.width || picture.height !== scene.height) {
        image = new ImageData(scene.width, scene.height);
        picture = { pixels: new Int32Array(image.data.buffer), width: scene.width, height: scene.height };
      }
      drawScene(picture, scene, paint);
      context.putImageData(image, 0, 0);
      return 1;
    },
  };
}
