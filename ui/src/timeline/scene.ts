/**
 * What one frame shows, in device pixels: plain rectangles behind the data, and blocks of prepared items with their place.
 * Both renderers draw the same scene. Objects are reused from frame to frame, so a frame allocates next to nothing.
 */
import type { Prepared } from './prepare';

/** One chunk of one layer. */
export interface Block {
  items: Prepared;
  /** The chunk's start and the width of 1/256 bucket, in px. */
  x: number;
  scale: number;
  /** Columns that may be drawn. */
  clipLeft: number;
  clipRight: number;
  /** Top of the layer; px of a line, or of 1/65535 of the height. */
  y: number;
  unit: number;
  /** Rows that may be drawn. */
  clipTop: number;
  clipBottom: number;
  isDimmed: boolean;
}

export const plainKinds = { solid: 0, hatched: 1 } as const;

const emptyItems: Prepared = { words: new Uint32Array(0), n: 0, isLines: false };

export class Scene {
  width = 0;
  height = 0;
  /** Device pixels of a CSS pixel. */
  ratio = 1;
  /** Rectangles of one colour: x0, y0, x1, y1, pixel, kind. */
  plain = new Float64Array(6 * 256);
  plains = 0;
  readonly blocks: Block[] = [];
  blockCount = 0;

  begin(width: number, height: number, ratio: number): void {
    this.width = width;
    this.height = height;
    this.ratio = ratio;
    this.plains = 0;
    this.blockCount = 0;
  }

  addPlain(x0: number, y0: number, x1: number, y1: number, pixel: number, kind: number = plainKinds.solid): void {
    if (x1 <= x0 || y1 <= y0) return;
    if (6 * (this.plains + 1) > this.plain.length) {
      const next = new Float64Array(this.plain.length * 2);
      next.set(this.plain);
      this.plain = next;
    }
    const at = 6 * this.plains;
    this.plain[at] = x0;
    this.plain[at + 1] = y0;
    this.plain[at + 2] = x1;
    this.plain[at + 3] = y1;
    this.plain[at + 4] = pixel;
    this.plain[at + 5] = kind;
    this.plains += 1;
  }

  /** Returns the next block to fill in. */
  addBlock(): Block {
    let block = this.blocks[this.blockCount];
    if (!block) {
      block = { items: emptyItems, x: 0, scale: 0, clipLeft: 0, clipRight: 0, y: 0, unit: 0, clipTop: 0, clipBottom: 0, isDimmed: false };
      this.blocks.push(block);
    }
    this.blockCount += 1;
    return block;
  }

  /** Returns the number of items of all blocks. */
  items(): number {
    let n = 0;
    for (let i = 0; i < this.blockCount; i += 1) n += this.blocks[i]?.items.n ?? 0;
    return n;
  }
}
