/**
 * Tiles at hand, by node, mode and level: what is drawn, what is still asked for, and what is forgotten first.
 * An answer of several neighbouring tiles stays one chunk.
 */
import { decodeFrame, type TileFrame } from '../lib/tile_frame';
import { tileSpan } from '../lib/time_window';

/** Tiles [first, first + tiles) of a node at a level. Numbers of tiles are exact: times below 2^62 ns have less than 2^53. */
export interface Chunk {
  node: number;
  mode: string;
  level: number;
  first: number;
  tiles: number;
  /** When the first tile begins, in ns. */
  start: bigint;
  frame: TileFrame;
  bytes: number;
  /** The number of the frame that used it last. */
  used: number;
  /** What the renderers made of it; theirs alone. */
  prepared: unknown;
}

export interface TileRequest {
  id: number;
  generation: number;
  level: number;
  mode: string;
  /** Node, first tile, count. */
  tiles: [number, number, number][];
}

export interface StoreCounters {
  bytes: number;
  chunks: number;
  dropped: number;
  failed: number;
  requests: number;
}

/** Numbers of requests are unique over all stores, because these share one socket. */
let nextId = 1;
const requestTiles = 64;
const requestsAtOnce = 6;

interface Track {
  levels: Map<number, Chunk[]>;
}

interface Wanted {
  node: number;
  mode: string;
  level: number;
  first: number;
  count: number;
  priority: number;
}

const tileKey = (node: number, mode: string, level: number, tile: number): string => `${node}/${mode}/${level}/${tile}`;

/** Returns the bytes of a frame: those of its columns. */
function bytesOf(frame: TileFrame): number {
  let bytes = 40;
  for (const value of Object.values(frame) as unknown[]) if (ArrayBuffer.isView(value)) bytes += value.byteLength;
  return bytes;
}

export class TileStore {
  /** By mode, then node: looking one up makes no text, as it is done for each track of each frame. */
  private readonly tracks = new Map<string, Map<number, Track>>();
  private readonly pending = new Map<number, TileRequest>();
  private wanted: Wanted[] = [];
  private readonly failed = new Set<string>();
  private generation = 1;
  private generationLevel = -1;
  /** The number of frames drawn so far. */
  frame = 0;
  /** Rises with each chunk that comes or goes, so that what was found before can be reused. */
  version = 0;
  readonly counters: StoreCounters = { bytes: 0, chunks: 0, dropped: 0, failed: 0, requests: 0 };

  /** `post` sends a request and returns false if it cannot; `changed` is called when there is something new to draw. */
  constructor(
    private readonly post: (request: TileRequest) => boolean,
    private readonly cancel: (id: number) => void,
    private readonly changed: () => void,
    private readonly limitBytes = 64 << 20,
  ) {}

  /** Returns true while tiles are wanted that have not arrived. */
  get isBusy(): boolean {
    return this.pending.size > 0 || this.wanted.length > 0;
  }

  /** Returns the chunks of a node at a level that overlap tiles [first, first + count), in order of time. */
  chunks(node: number, mode: string, level: number): readonly Chunk[] {
    return this.tracks.get(mode)?.get(node)?.levels.get(level) ?? none;
  }

  /** Returns the levels at hand of a node. */
  levelsOf(node: number, mode: string): IterableIterator<number> | readonly number[] {
    return this.tracks.get(mode)?.get(node)?.levels.keys() ?? noLevels;
  }

  /**
   * Says that tiles are shown; asks for the missing ones with the next flush(). Lower priorities go first. A change of the
   * level cancels what was asked for the level before.
   */
  want(node: number, mode: string, level: number, first: number, count: number, priority: number): void {
    let start = first;
    const end = first + count;
    while (start < end) {
      const covered = this.coveredUntil(node, mode, level, start);
      if (covered > start) {
        start = covered;
        continue;
      }
      let stop = start + 1;
      while (stop < end && this.coveredUntil(node, mode, level, stop) === stop) stop += 1;
      this.wanted.push({ node, mode, level, first: start, count: stop - start, priority });
      start = stop;
    }
  }

  /** Returns the first tile from `tile` on that is neither at hand, asked for nor refused. */
  private coveredUntil(node: number, mode: string, level: number, tile: number): number {
    const chunks = this.chunks(node, mode, level);
    for (let i = 0; i < chunks.length; i += 1) {
      const chunk = chunks[i];
      if (chunk && chunk.first <= tile && tile < chunk.first + chunk.tiles) return chunk.first + chunk.tiles;
    }
    if (this.pending.size === 0 && this.failed.size === 0) return tile;
    for (const request of this.pending.values()) {
      if (request.level !== level || request.mode !== mode) continue;
      for (const [asked, first, count] of request.tiles) if (asked === node && first <= tile && tile < first + count) return first + count;
    }
    return this.failed.size > 0 && this.failed.has(tileKey(node, mode, level, tile)) ? tile + 1 : tile;
  }

  /** Begins a new frame: what was wanted and not asked for yet is forgotten. A new level cancels older requests. */
  begin(level: number): void {
    this.frame += 1;
    this.wanted = [];
    if (level === this.generationLevel) return;
    this.generationLevel = level;
    this.generation += 1;
    for (const request of this.pending.values()) this.cancel(request.id);
    this.pending.clear();
  }

  /** Asks for what is wanted, most urgent first, in requests of at most 64 tiles of one level and mode. */
  flush(): void {
    if (this.wanted.length === 0 || this.pending.size >= requestsAtOnce) return;
    this.wanted.sort((a, b) => a.priority - b.priority);
    const rest: Wanted[] = [];
    const open = new Map<string, TileRequest & { size: number }>();
    const ready: TileRequest[] = [];
    for (const want of this.wanted) {
      if (this.pending.size + ready.length + open.size >= requestsAtOnce && !open.has(`${want.mode}/${want.level}`)) {
        rest.push(want);
        continue;
      }
      const count = Math.min(want.count, requestTiles);
      const key = `${want.mode}/${want.level}`;
      let request = open.get(key);
      if (request && request.size + count > requestTiles) {
        ready.push(request);
        open.delete(key);
        request = undefined;
        if (this.pending.size + ready.length + open.size >= requestsAtOnce) {
          rest.push(want);
          continue;
        }
      }
      if (!request) {
        request = { id: nextId++, generation: this.generation, level: want.level, mode: want.mode, tiles: [], size: 0 };
        open.set(key, request);
      }
      request.tiles.push([want.node, want.first, count]);
      request.size += count;
      if (want.count > count) rest.push({ ...want, first: want.first + count, count: want.count - count });
    }
    this.wanted = rest;
    for (const request of [...ready, ...open.values()]) {
      this.pending.set(request.id, request);
      this.counters.requests += 1;
      if (!this.post(request)) this.pending.delete(request.id);
    }
  }

  /** Returns true if the answer to a request is still expected. */
  isWaitingFor(id: number): boolean {
    return this.pending.has(id);
  }

  /** Takes a frame of the socket; malformed ones are dropped and counted. */
  take(bytes: ArrayBuffer): void {
    const decoded = decodeFrame(bytes);
    if (typeof decoded === 'string') {
      this.counters.dropped += 1;
      return;
    }
    const { frame } = decoded;
    const request = this.pending.get(frame.id);
    const at = Number(frame.first);
    const triple = request?.tiles.find(([node, first]) => node === frame.track && first === at);
    if (!request || !triple || frame.level !== request.level || frame.tiles !== triple[2]) return; // an answer to what nobody waits for
    this.add({
      node: frame.track, mode: request.mode, level: frame.level, first: at, tiles: frame.tiles, start: frame.first * tileSpan(frame.level), frame, bytes: bytesOf(frame),
      used: this.frame, prepared: null,
    });
    request.tiles.splice(request.tiles.indexOf(triple), 1);
    this.changed();
  }

  private add(chunk: Chunk): void {
    const ofMode = this.tracks.get(chunk.mode) ?? new Map<number, Track>();
    this.tracks.set(chunk.mode, ofMode);
    const track = ofMode.get(chunk.node) ?? { levels: new Map<number, Chunk[]>() };
    ofMode.set(chunk.node, track);
    const list = track.levels.get(chunk.level) ?? [];
    track.levels.set(chunk.level, list);
    const end = chunk.first + chunk.tiles;
    // An answer to a repeated question replaces the older one.
    for (let i = list.length - 1; i >= 0; i -= 1) {
      const other = list[i];
      if (other && other.first < end && chunk.first < other.first + other.tiles) this.remove(list, i);
    }
    const at = list.findIndex((c) => c.first > chunk.first);
    if (at < 0) list.push(chunk);
    else list.splice(at, 0, chunk);
    this.counters.bytes += chunk.bytes;
    this.counters.chunks += 1;
    this.version += 1;
  }

  private remove(list: Chunk[], at: number): void {
    const [chunk] = list.splice(at, 1);
    if (!chunk) return;
    this.counters.bytes -= chunk.bytes;
    this.counters.chunks -= 1;
    this.version += 1;
  }

  /** Takes the end of a request: what has not come is asked for again, except what the server refused. */
  done(id: number, isCancelled: boolean, refused: readonly number[]): void {
    const request = this.pending.get(id);
    if (!request) return;
    this.pending.delete(id);
    for (const [node, first, count] of request.tiles) {
      if (!refused.includes(node) && isCancelled) continue;
      this.counters.failed += 1;
      for (let i = 0; i < count; i += 1) this.failed.add(tileKey(node, request.mode, request.level, first + i));
    }
    this.changed();
  }

  /** Forgets what is being asked for, after the connection was lost. */
  forgetPending(): void {
    this.pending.clear();
    this.failed.clear();
  }

  /** Forgets the chunks that were used longest ago, until the rest fits. */
  trim(): void {
    if (this.counters.bytes <= this.limitBytes) return;
    const all: { list: Chunk[]; chunk: Chunk }[] = [];
    for (const ofMode of this.tracks.values()) for (const track of ofMode.values()) for (const list of track.levels.values()) for (const chunk of list) all.push({ list, chunk });
    all.sort((a, b) => a.chunk.used - b.chunk.used);
    for (const { list, chunk } of all) {
      if (this.counters.bytes <= 0.75 * this.limitBytes) break;
      this.remove(list, list.indexOf(chunk));
    }
  }

  /** Forgets everything of one mode, e.g. hits of a search that ended. */
  forgetMode(mode: string): void {
    for (const request of this.pending.values()) {
      if (request.mode !== mode) continue;
      this.cancel(request.id);
      this.pending.delete(request.id);
    }
    for (const track of this.tracks.get(mode)?.values() ?? []) for (const list of track.levels.values()) while (list.length > 0) this.remove(list, list.length - 1);
    this.tracks.delete(mode);
  }
}

const none: readonly Chunk[] = [];
const noLevels: readonly number[] = [];
