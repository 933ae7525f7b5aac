/** Encodes tile frames strictly by docs/spec/viewer.md C.1, and makes them from lists of events by the rules of 5.3. */

const tileBuckets = 512n;

/** Collects columns, each padded to 8 bytes. */
class Columns {
  parts = [];
  size = 0;

  put(array) {
    const bytes = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
    this.parts.push(bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8));
    this.size += Math.ceil(bytes.length / 8) * 8;
  }
}

/** Returns a frame: the header of 40 bytes, then the columns. */
export function encodeFrame({ kind, id = 0, track = 0, generation = 0, level = 0, flags = 0, lines = 1, first = 0n, tiles = 1, n }, columns) {
  const head = Buffer.alloc(40);
  head.write('TBT1', 0, 'latin1');
  head.writeUInt16LE(1, 4);
  head.writeUInt16LE(kind, 6);
  head.writeUInt32LE(id, 8);
  head.writeUInt32LE(track, 12);
  head.writeUInt32LE(generation, 16);
  head.writeUInt8(level, 20);
  head.writeUInt8(flags, 21);
  head.writeUInt16LE(lines, 22);
  head.writeBigInt64LE(BigInt(first), 24);
  head.writeUInt32LE(tiles, 32);
  head.writeUInt32LE(n, 36);
  const all = new Columns();
  for (const column of columns) all.put(column);
  return Buffer.concat([head, ...all.parts]);
}

const u32 = (items, member) => Uint32Array.from(items, (i) => Math.min(0xffffffff, Number(i[member])));
const f64 = (items, member) => Float64Array.from(items, (i) => i[member]);

export function sliceFrame(head, items) {
  return encodeFrame({ ...head, kind: 1, n: items.length }, [
    u32(items, 'start'), u32(items, 'end'), u32(items, 'row'), u32(items, 'name'), u32(items, 'count'), u32(items, 'busy'), Uint16Array.from(items, (i) => i.line),
    Uint8Array.from(items, (i) => i.flags), Uint8Array.from(items, (i) => i.colour),
  ]);
}

export function counterFrame(head, { before, low, high }, items) {
  return encodeFrame({ ...head, kind: 2, n: items.length }, [Float64Array.of(before, low, high), u32(items, 'bucket'), f64(items, 'min'), f64(items, 'max'), f64(items, 'last'), u32(items, 'count')]);
}

export function markFrame(head, items, kind = 3) {
  return encodeFrame({ ...head, kind, n: items.length }, [u32(items, 'bucket'), u32(items, 'count'), u32(items, 'row'), Uint8Array.from(items, (i) => i.worst)]);
}

export function stackedFrame(head, names, before, items) {
  return encodeFrame({ ...head, kind: 4, lines: names.length, n: items.length }, [
    Uint32Array.from(names), Float64Array.from(before), u32(items, 'bucket'), f64(items, 'low'), f64(items, 'high'), Float64Array.from(items.flatMap((i) => i.last)),
  ]);
}

export function flowFrame(head, total, items) {
  const i64 = (member) => BigInt64Array.from(items, (i) => i[member]);
  return encodeFrame({ ...head, kind: 5, n: items.length }, [
    Uint32Array.of(total, 0), u32(items, 'outTrack'), u32(items, 'inTrack'), Uint16Array.from(items, (i) => i.outLine), Uint16Array.from(items, (i) => i.inLine), i64('outTs'), i64('inTs'),
    u32(items, 'row'), u32(items, 'count'), Uint8Array.from(items, (i) => i.flags),
  ]);
}

export function summaryFrame(head, names, items) {
  return encodeFrame({ ...head, kind: 6, n: items.length }, [Uint32Array.of(names.length), Uint32Array.from(names), u32(items, 'bucket'), Uint8Array.from(items.flatMap((i) => i.share))]);
}

const floorShift = (ns, level) => ns >> BigInt(level);

/** Returns the range of tiles in ns. */
export function rangeOf(level, first, tiles) {
  const span = tileBuckets << BigInt(level);
  return [BigInt(first) * span, (BigInt(first) + BigInt(tiles)) * span];
}

/**
 * Returns the items of events of some lines (each: ts, end, row, name, line, colour, unfinished) for tiles: those of at
 * least a bucket exactly, the others of a bucket joined.
 */
export function sliceItems(events, level, first, tiles) {
  const [from, to] = rangeOf(level, first, tiles);
  const width = 1n << BigInt(level);
  const position = (ns) => Number(((ns - from) * 256n) / width);
  const exact = (e, began) => ({
    start: began ? 0 : position(e.ts), end: e.end >= to ? 0xffffffff : Math.max(position(e.end), position(began ? from : e.ts) + (e.end > e.ts ? 1 : 0)), row: e.row, name: e.name, count: began ? 0 : 1,
    busy: began ? 0 : Number(((e.end - e.ts) * 256n) / width > 0xffffffffn ? 0xffffffffn : ((e.end - e.ts) * 256n) / width), line: e.line, colour: e.colour,
    flags: (e.end === e.ts ? 2 : 0) | (e.unfinished ? 4 : 0) | (began ? 8 : 0) | (e.end >= to ? 16 : 0) | (e.hasFlows ? 32 : 0) | (e.cut ? 64 : 0),
  });
  const items = [];
  const lines = [...new Set(events.map((e) => e.line))].sort((a, b) => a - b);
  for (const line of lines) {
    let bucket = null;
    let group = [];
    const close = () => {
      if (group.length === 1) items.push(exact(group[0], false));
      else if (group.length > 1) {
        const longest = group.reduce((a, b) => (b.end - b.ts > a.end - a.ts ? b : a));
        const end = group.reduce((a, b) => (b.end > a ? b.end : a), group[0].end);
        const busy = group.reduce((sum, e) => sum + (e.end - e.ts), 0n);
        items.push({ start: position(group[0].ts), end: Math.max(position(end), position(group[0].ts) + 1), row: longest.row, name: longest.name, count: group.length, busy: Number((busy * 256n) / width), line, colour: longest.colour, flags: 1 | (group.some((e) => e.end === e.ts) ? 2 : 0) });
      }
      group = [];
    };
    for (const e of events) {
      if (e.line !== line || e.ts >= to) continue;
      if (e.ts < from) {
        if (e.end > from && e.end - e.ts >= width) items.push(exact(e, true));
        continue;
      }
      const own = floorShift(e.ts - from, level);
      if (own !== bucket) close();
      bucket = own;
      if (e.end - e.ts >= width) {
        close();
        items.push(exact(e, false));
      } else group.push(e);
    }
    close();
  }
  return items;
}

/** Returns samples (ts, value, row) joined by bucket, and the value before. */
export function counterItems(samples, level, first, tiles) {
  const [from, to] = rangeOf(level, first, tiles);
  const items = new Map();
  let before = NaN;
  for (const s of samples) {
    if (s.ts < from) before = s.value;
    if (s.ts < from || s.ts >= to) continue;
    const bucket = Number(floorShift(s.ts - from, level));
    const item = items.get(bucket) ?? { bucket, min: s.value, max: s.value, last: s.value, count: 0 };
    Object.assign(item, { min: Math.min(item.min, s.value), max: Math.max(item.max, s.value), last: s.value, count: item.count + 1 });
    items.set(bucket, item);
  }
  return { before, items: [...items.values()] };
}

/** Returns marks (ts, row, worst) joined by bucket. */
export function markItems(marks, level, first, tiles) {
  const [from, to] = rangeOf(level, first, tiles);
  const items = new Map();
  for (const m of marks) {
    if (m.ts < from || m.ts >= to) continue;
    const bucket = Number(floorShift(m.ts - from, level));
    const item = items.get(bucket) ?? { bucket, count: 0, row: m.row, worst: 0 };
    Object.assign(item, { count: item.count + 1, worst: Math.max(item.worst, m.worst ?? 0) });
    items.set(bucket, item);
  }
  return [...items.values()];
}

/** Returns the busy shares of events by up to 7 names and the rest; `lines` is the number of lines that share a bucket. */
export function summaryItems(events, lines, level, first, tiles) {
  const [from, to] = rangeOf(level, first, tiles);
  const width = 1n << BigInt(level);
  const totals = new Map();
  const buckets = new Map();
  for (const e of events) {
    if (e.end <= from || e.ts >= to) continue;
    const start = e.ts < from ? from : e.ts;
    const end = e.end > to ? to : e.end;
    for (let b = floorShift(start - from, level); b <= floorShift((end > start ? end - 1n : end) - from, level); b += 1n) {
      const lo = from + b * width;
      const part = Number((end < lo + width ? end : lo + width) - (start > lo ? start : lo));
      const own = buckets.get(Number(b)) ?? new Map();
      buckets.set(Number(b), own);
      own.set(e.name, (own.get(e.name) ?? 0) + Math.max(part, Number(width) / 255));
      totals.set(e.name, (totals.get(e.name) ?? 0) + part);
    }
  }
  const names = [...totals].sort((a, b) => b[1] - a[1]).slice(0, 7).map(([name]) => name);
  const full = Number(width) * Math.max(1, lines);
  const items = [...buckets].sort((a, b) => a[0] - b[0]).map(([bucket, own]) => {
    let rest = 0;
    for (const [name, time] of own) if (!names.includes(name)) rest += time;
    return { bucket, share: [...names.map((n) => own.get(n) ?? 0), rest].map((t) => Math.min(255, Math.round((255 * t) / full))) };
  });
  return { names: [...names, 0], items };
}
