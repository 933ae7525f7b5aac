/** The decoder of tile frames against an encoder that was written from the specification. */
import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeFrame, decodeFrames, itemFlags, type SliceFrame, type TileFrame } from '../../src/lib/tile_frame';
import { counterFrame, flowFrame, markFrame, sliceFrame, sliceItems, stackedFrame, summaryFrame, type MockEvent } from '../mock/tiles.mjs';

const arrayOf = (bytes: Buffer): ArrayBuffer => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;

function decoded(bytes: Buffer): TileFrame {
  const result = decodeFrame(arrayOf(bytes));
  if (typeof result === 'string') throw new Error(result);
  expect(result.next).toBe(bytes.length);
  return result.frame;
}

const head = { id: 7, track: 12, generation: 3, level: 20, flags: 4, lines: 2, first: -5n, tiles: 3 };
const slice = { start: 5, end: 900, row: 17, name: 40, count: 1, busy: 895, line: 1, flags: 32, colour: 9 };

const samples: Buffer[] = [
  sliceFrame(head, [slice, { ...slice, line: 0, flags: 1, count: 3 }, slice]),
  counterFrame(head, { before: NaN, low: -1.5, high: 8 }, [{ bucket: 2, min: 1, max: 4, last: 2.5, count: 3 }]),
  markFrame(head, [{ bucket: 9, count: 2, row: 5, worst: 6 }]),
  stackedFrame(head, [4, 5, 6], [1, NaN, 3], [{ bucket: 1, low: 3, high: 9, last: [1, 2, 3] }, { bucket: 4, low: 6, high: 6, last: [2, 2, 2] }]),
  flowFrame(head, 9, [{ outTrack: 1, inTrack: 2, outLine: 3, inLine: 4, outTs: -(2n ** 62n), inTs: 2n ** 62n, row: 8, count: 1, flags: 3 }]),
  summaryFrame(head, [7, 0], [{ bucket: 3, share: [200, 55] }, { bucket: 4, share: [1, 0] }]),
  markFrame(head, [{ bucket: 1, count: 1, row: 0, worst: 0 }], 7),
];

test('each kind of frame reads back as it was written', () => {
  const frames = samples.map(decoded);
  expect(frames.map((f) => f.kind)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  for (const f of frames) expect([f.id, f.track, f.generation, f.level, f.flags, f.first, f.tiles]).toEqual([7, 12, 3, 20, 4, -5n, 3]);
  const [slices, counter, marks, stacked, flows, summary] = frames;
  expect(slices).toMatchObject({ kind: 1, lines: 2, start: Uint32Array.of(5, 5, 5), line: Uint16Array.of(1, 0, 1), itemFlags: Uint8Array.of(32, 1, 32), colour: Uint8Array.of(9, 9, 9) });
  expect(counter).toMatchObject({ before: NaN, low: -1.5, high: 8, last: Float64Array.of(2.5), count: Uint32Array.of(3) });
  expect(marks).toMatchObject({ bucket: Uint32Array.of(9), worst: Uint8Array.of(6) });
  expect(stacked).toMatchObject({ lines: 3, name: Uint32Array.of(4, 5, 6), last: Float64Array.of(1, 2, 3, 2, 2, 2) });
  expect(flows).toMatchObject({ total: 9, outTs: BigInt64Array.of(-(2n ** 62n)), inTs: BigInt64Array.of(2n ** 62n), flowFlags: Uint8Array.of(3) });
  expect(summary).toMatchObject({ names: Uint32Array.of(7, 0), share: Uint8Array.of(200, 55, 1, 0) });
});

test('frames behind each other are read until the first bad one', () => {
  const both = Buffer.concat([samples[0] as Buffer, samples[5] as Buffer]);
  expect(decodeFrames(arrayOf(both)).frames.map((f) => f.kind)).toEqual([1, 6]);
  const cut = decodeFrames(arrayOf(both.subarray(0, both.length - 8)));
  expect([cut.frames.length, cut.error]).toEqual([1, 'counts']);
});

test('what is no frame is named', () => {
  const bytes = Buffer.from(samples[0] as Buffer);
  const changed = (at: number, value: number): Buffer => {
    const copy = Buffer.from(bytes);
    copy[at] = value;
    return copy;
  };
  expect(decodeFrame(new ArrayBuffer(39))).toBe('cut');
  expect(decodeFrame(arrayOf(changed(0, 0)))).toBe('magic');
  expect(decodeFrame(arrayOf(changed(4, 2)))).toBe('version');
  expect(decodeFrame(arrayOf(changed(6, 9)))).toBe('kind');
  expect(decodeFrame(arrayOf(changed(39, 255)))).toBe('counts');
  expect(decodeFrame(arrayOf(changed(20, 55)))).toBe('counts');
});

test('wire_fuzz: 100,000 mutated frames: no exception, and nothing is allocated beyond the frame', () => {
  let seed = 1;
  const random = (n: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed % n;
  };
  let good = 0;
  for (let i = 0; i < 100_000; i += 1) {
    const base = samples[random(samples.length)] as Buffer;
    const bytes = Buffer.from(base.subarray(0, random(4) === 0 ? random(base.length + 1) : base.length));
    for (let k = random(4); k >= 0 && bytes.length > 0; k -= 1) bytes[random(bytes.length)] = [0, 1, 127, 255, random(256)][random(5)] ?? 0;
    const buffer = arrayOf(bytes);
    const result = decodeFrame(buffer);
    if (typeof result === 'string') continue;
    good += 1;
    if (result.next > buffer.byteLength) throw new Error('a frame ends behind its bytes');
    for (const value of Object.values(result.frame) as unknown[]) if (ArrayBuffer.isView(value) && value.buffer !== buffer) throw new Error('an array of its own');
  }
  expect(good).toBeGreaterThan(1000);
});

test('the frames of the committed vectors decode as their JSON says', () => {
  const folder = join(import.meta.dirname, '../../../vectors/wire');
  if (!existsSync(folder)) return;
  for (const file of readdirSync(folder).filter((f) => f.endsWith('.bin'))) {
    const { frames, error } = decodeFrames(arrayOf(readFileSync(join(folder, file))));
    expect(error, file).toBeNull();
    expect(frames.length, file).toBeGreaterThan(0);
  }
});

test('items of a line never overlap, and their counts and busy times add up', () => {
  const event = fc.record({ gap: fc.bigInt(0n, 400n), length: fc.oneof(fc.constant(0n), fc.bigInt(0n, 600n)) });
  fc.assert(fc.property(fc.array(event, { maxLength: 60 }), fc.integer({ min: 0, max: 9 }), (parts, level) => {
    let at = 0n;
    const events: MockEvent[] = parts.map(({ gap, length }, row) => {
      const ts = at + gap;
      at = ts + length;
      return { ts, end: at, row, name: row, line: 0, colour: row % 23 };
    });
    const tiles = Number(at >> BigInt(level + 9)) + 1;
    const frame = decoded(sliceFrame({ level, tiles }, sliceItems(events, level, 0, tiles))) as SliceFrame;
    expect([...frame.count].reduce((a, b) => a + b, 0)).toBe(events.length);
    for (let i = 1; i < frame.n; i += 1) expect(frame.start[i] ?? 0).toBeGreaterThanOrEqual(Math.min(frame.end[i - 1] ?? 0, (frame.start[i - 1] ?? 0) + 1) - 1);
    const instants = events.filter((e) => e.ts === e.end).length;
    expect([...frame.itemFlags].some((f) => f & itemFlags.instant)).toBe(instants > 0);
  }));
});
