/** Where chunks lie in the buffer of the GL renderer, and which parts of it a frame draws. */
import type { Prepared } from './prepare';

/** The first item of a chunk, and the row of the table that says where it is drawn. */
export interface Placed {
  at: number;
  n: number;
  slot: number;
  used: number;
}

/**
 * Chooses places in the arena for `n` items behind the last one; at the end it begins anew, and what is overwritten is
 * forgotten.
 */
export class Arena {
  private readonly placed = new Map<Prepared, Placed>();
  private readonly free: number[] = [];
  private readonly twins = new WeakMap<Prepared, Prepared>();
  private next = 0;
  /** Slot 0 is never shown: items that are forgotten belong to it. */
  private nextSlot = 1;

  /** `forget` is called for places whose slot is given to other items. */
  constructor(
    readonly items: number,
    readonly slotCount: number,
    private readonly forget: (place: Placed) => void = () => undefined,
  ) {}

  /** Returns the place of a chunk's items, and whether they must be copied there; null if they do not fit at all. */
  place(items: Prepared, frame: number): { placed: Placed; isNew: boolean } | null {
    const known = this.placed.get(items);
    if (known?.used === frame) return this.place(this.twinOf(items), frame);
    if (known) {
      known.used = frame;
      return { placed: known, isNew: false };
    }
    if (items.n > this.items) return null;
    if (this.next + items.n > this.items) this.next = 0;
    const [from, to] = [this.next, this.next + items.n];
    for (const [other, place] of this.placed) {
      if (place.at >= to || from >= place.at + place.n) continue;
      if (place.used === frame) return null; // the screen shows more than the arena holds
      this.placed.delete(other);
      this.forget(place);
      this.free.push(place.slot);
    }
    const slot = this.free.pop() ?? (this.nextSlot < this.slotCount ? this.nextSlot++ : -1);
    if (slot < 0) {
      const oldest = this.oldest(frame);
      if (!oldest) return null;
      this.placed.delete(oldest[0]);
      this.forget(oldest[1]);
      return this.put(items, from, oldest[1].slot, frame);
    }
    return this.put(items, from, slot, frame);
  }

  /** Returns a copy with a place of its own: what a frame draws twice needs two slots. */
  private twinOf(items: Prepared): Prepared {
    const twin = this.twins.get(items) ?? { ...items };
    this.twins.set(items, twin);
    return twin;
  }

  private put(items: Prepared, at: number, slot: number, frame: number): { placed: Placed; isNew: boolean } {
    const placed = { at, n: items.n, slot, used: frame };
    this.placed.set(items, placed);
    this.next = at + items.n;
    return { placed, isNew: true };
  }

  private oldest(frame: number): [Prepared, Placed] | undefined {
    let found: [Prepared, Placed] | undefined;
    for (const entry of this.placed) if (entry[1].used !== frame && (!found || entry[1].used < found[1].used)) found = entry;
    return found;
  }
}

/** Joins ranges [from, to) so that at most `limit` are left, over the smallest holes. `ranges` has pairs; returns their number. */
export function joinRanges(ranges: number[], count: number, limit: number): number {
  const pairs: [number, number][] = [];
  for (let i = 0; i < count; i += 1) pairs.push([ranges[2 * i] ?? 0, ranges[2 * i + 1] ?? 0]);
  pairs.sort((a, b) => a[0] - b[0]);
  const joined: [number, number][] = [];
  for (const pair of pairs) {
    const last = joined.at(-1);
    if (last && pair[0] <= last[1]) last[1] = Math.max(last[1], pair[1]);
    else joined.push([...pair]);
  }
  while (joined.length > limit) {
    let best = 1;
    for (let i = 2; i < joined.length; i += 1) if (hole(joined, i) < hole(joined, best)) best = i;
    const [gone] = joined.splice(best, 1);
    const before = joined[best - 1];
    if (gone && before) before[1] = gone[1];
  }
  joined.forEach(([from, to], i) => {
    ranges[2 * i] = from;
    ranges[2 * i + 1] = to;
  });
  return joined.length;
}

const hole = (pairs: readonly [number, number][], at: number): number => (pairs[at]?.[0] ?? 0) - (pairs[at - 1]?.[1] ?? 0);
