/** Tile frames (docs/spec/viewer.md C.1): typed arrays over the bytes of the server, without a copy. */

const headerBytes = 40;
const frameVersion = 1;

export const frameKinds = { slices: 1, counter: 2, marks: 3, stacked: 4, flows: 5, summary: 6, hits: 7 } as const;

/** Flags of a frame. */
export const frameFlags = { incomplete: 1, cut: 2, cold: 4, coarser: 8 } as const;

/** Flags of an item of a slice frame. */
export const itemFlags = { dense: 1, instant: 2, unfinished: 4, beganBefore: 8, goesOn: 16, hasFlows: 32, cut: 64, cpuTime: 128 } as const;

/** The end of an item that goes on behind the last tile. */
export const openEnd = 0xffffffff;

/** What all frames have. Positions count from the start of tile `first`. */
export interface FrameHead {
  id: number;
  track: number;
  generation: number;
  level: number;
  flags: number;
  /** Lines of slices, series of a stacked counter. */
  lines: number;
  first: bigint;
  tiles: number;
  n: number;
}

/** Items by line, then start; positions in 1/256 bucket. */
export interface SliceFrame extends FrameHead {
  kind: 1;
  start: Uint32Array;
  end: Uint32Array;
  row: Uint32Array;
  name: Uint32Array;
  count: Uint32Array;
  busy: Uint32Array;
  line: Uint16Array;
  itemFlags: Uint8Array;
  colour: Uint8Array;
}

export interface CounterFrame extends FrameHead {
  kind: 2;
  /** The value before the first bucket, NaN if there is none. */
  before: number;
  /** The domain of the whole track. */
  low: number;
  high: number;
  bucket: Uint32Array;
  min: Float64Array;
  max: Float64Array;
  last: Float64Array;
  count: Uint32Array;
}

export interface MarkFrame extends FrameHead {
  kind: 3 | 7;
  bucket: Uint32Array;
  count: Uint32Array;
  row: Uint32Array;
  worst: Uint8Array;
}

export interface StackedFrame extends FrameHead {
  kind: 4;
  name: Uint32Array;
  before: Float64Array;
  bucket: Uint32Array;
  /** The smallest and largest total of a bucket. */
  low: Float64Array;
  high: Float64Array;
  /** Last values by row: `last[item * series + s]`. */
  last: Float64Array;
}

export interface FlowFrame extends FrameHead {
  kind: 5;
  total: number;
  outTrack: Uint32Array;
  inTrack: Uint32Array;
  outLine: Uint16Array;
  inLine: Uint16Array;
  outTs: BigInt64Array;
  inTs: BigInt64Array;
  row: Uint32Array;
  count: Uint32Array;
  /** 1 violation, 2 other machine, 4 bundled. */
  flowFlags: Uint8Array;
}

export interface SummaryFrame extends FrameHead {
  kind: 6;
  /** String ids; 0 is the rest. */
  names: Uint32Array;
  bucket: Uint32Array;
  /** Shares in 1/255: `share[item * names.length + i]`. */
  share: Uint8Array;
}

export type TileFrame = SliceFrame | CounterFrame | MarkFrame | StackedFrame | FlowFrame | SummaryFrame;

/** Why a frame was dropped. */
export type FrameError = 'cut' | 'magic' | 'version' | 'kind' | 'counts';

/** Hands out columns behind each other, each at a multiple of 8; throws RangeError beyond the end. */
class Columns {
  constructor(
    private readonly buffer: ArrayBuffer,
    public at: number,
    private readonly end: number,
  ) {}

  private take(bytes: number): number {
    const at = this.at;
    const next = at + Math.ceil(bytes / 8) * 8;
    if (next > this.end) throw new RangeError('a column ends behind the frame');
    this.at = next;
    return at;
  }

  u8 = (n: number): Uint8Array => new Uint8Array(this.buffer, this.take(n), n);
  u16 = (n: number): Uint16Array => new Uint16Array(this.buffer, this.take(2 * n), n);
  u32 = (n: number): Uint32Array => new Uint32Array(this.buffer, this.take(4 * n), n);
  i64 = (n: number): BigInt64Array => new BigInt64Array(this.buffer, this.take(8 * n), n);
  f64 = (n: number): Float64Array => new Float64Array(this.buffer, this.take(8 * n), n);
}

function sliceFrame(head: FrameHead, c: Columns): SliceFrame {
  const { n } = head;
  return {
    ...head, kind: 1, start: c.u32(n), end: c.u32(n), row: c.u32(n), name: c.u32(n), count: c.u32(n), busy: c.u32(n), line: c.u16(n),
    itemFlags: c.u8(n), colour: c.u8(n),
  };
}

function counterFrame(head: FrameHead, c: Columns): CounterFrame {
  const { n } = head;
  const [before, low, high] = c.f64(3) as unknown as [number, number, number];
  return { ...head, kind: 2, before, low, high, bucket: c.u32(n), min: c.f64(n), max: c.f64(n), last: c.f64(n), count: c.u32(n) };
}

function stackedFrame(head: FrameHead, c: Columns): StackedFrame {
  const { n, lines } = head;
  return { ...head, kind: 4, name: c.u32(lines), before: c.f64(lines), bucket: c.u32(n), low: c.f64(n), high: c.f64(n), last: c.f64(n * lines) };
}

function flowFrame(head: FrameHead, c: Columns): FlowFrame {
  const { n } = head;
  const total = c.u32(2)[0] ?? 0;
  return {
    ...head, kind: 5, total, outTrack: c.u32(n), inTrack: c.u32(n), outLine: c.u16(n), inLine: c.u16(n), outTs: c.i64(n), inTs: c.i64(n),
    row: c.u32(n), count: c.u32(n), flowFlags: c.u8(n),
  };
}

function summaryFrame(head: FrameHead, c: Columns): SummaryFrame {
  const count = c.u32(1)[0] ?? 0;
  if (count > 8) throw new RangeError('more names than a summary has');
  return { ...head, kind: 6, names: c.u32(count), bucket: c.u32(head.n), share: c.u8(head.n * count) };
}

function columnsOf(kind: number, head: FrameHead, c: Columns): TileFrame | null {
  if (kind === 1) return sliceFrame(head, c);
  if (kind === 2) return counterFrame(head, c);
  if (kind === 3 || kind === 7) return { ...head, kind, bucket: c.u32(head.n), count: c.u32(head.n), row: c.u32(head.n), worst: c.u8(head.n) };
  if (kind === 4) return stackedFrame(head, c);
  if (kind === 5) return flowFrame(head, c);
  return kind === 6 ? summaryFrame(head, c) : null;
}

/** Decodes the frame at a multiple of 8; `next` is the place behind it. Never throws. */
export function decodeFrame(buffer: ArrayBuffer, at = 0): { frame: TileFrame; next: number } | FrameError {
  if (at % 8 !== 0 || buffer.byteLength - at < headerBytes) return 'cut';
  const view = new DataView(buffer, at);
  if (view.getUint32(0, true) !== 0x31544254) return 'magic';
  if (view.getUint16(4, true) !== frameVersion) return 'version';
  const head: FrameHead = {
    id: view.getUint32(8, true), track: view.getUint32(12, true), generation: view.getUint32(16, true), level: view.getUint8(20), flags: view.getUint8(21),
    lines: view.getUint16(22, true), first: view.getBigInt64(24, true), tiles: view.getUint32(32, true), n: view.getUint32(36, true),
  };
  if (head.level > 54) return 'counts';
  const columns = new Columns(buffer, at + headerBytes, buffer.byteLength);
  try {
    const frame = columnsOf(view.getUint16(6, true), head, columns);
    return frame === null ? 'kind' : { frame, next: columns.at };
  } catch {
    return 'counts';
  }
}

/** Decodes frames behind each other; stops at the first bad one, whose reason it returns. */
export function decodeFrames(buffer: ArrayBuffer): { frames: TileFrame[]; error: FrameError | null } {
  const frames: TileFrame[] = [];
  for (let at = 0; at < buffer.byteLength; ) {
    const decoded = decodeFrame(buffer, at);
    if (typeof decoded === 'string') return { frames, error: decoded };
    frames.push(decoded.frame);
    at = decoded.next;
  }
  return { frames, error: null };
}
