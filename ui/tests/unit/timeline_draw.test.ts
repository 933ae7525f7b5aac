/** Drawing without a browser: prepared rectangles, the pixels of the raster renderer, the arena of the GL renderer. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrast } from '../../src/lib/colours';
import { decodeFrame, itemFlags, openEnd, type CounterFrame, type TileFrame } from '../../src/lib/tile_frame';
import { Arena, joinRanges } from '../../src/timeline/arena';
import type { Tick } from '../../src/lib/axis';
import { drawTicks } from '../../src/timeline/axis_canvas';
import { Axes } from '../../src/timeline/counter_axes';
import { seriesAt } from '../../src/timeline/hit';
import { Fitting } from '../../src/timeline/labels';
import { paintOf, toneCount, tones, type Paint } from '../../src/timeline/paint';
import { axisPlace, prepare, shapes, widened, type PrepareOptions } from '../../src/timeline/prepare';
import type { Layer } from '../../src/timeline/rows';
import { drawScene, hatchWidth, mixedPixel, type Picture } from '../../src/timeline/raster';
import { Scene } from '../../src/timeline/scene';
import { counterFrame, markFrame, sliceFrame, stackedFrame, summaryFrame } from '../mock/tiles.mjs';

const frameOf = (bytes: Buffer): TileFrame => {
  const result = decodeFrame(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer);
  if (typeof result === 'string') throw new Error(result);
  return result.frame;
};

const options: PrepareOptions = { shape: shapes.slice, colour: null, byDuration: false, nameColour: () => 5, seriesColour: (s) => 72 + s, level: 10, length: 512 * 256, isDump: false, skipsIdle: false, domain: { low: 0, high: 10, isLog: false } };
const token = (name: string): string => ({ 'bg-canvas': '#000000', 'slice-3': '#00ff00', 'slice-3-edge': '#ff0000', 'slice-text': '#ffffff', lost: '#0000ff' })[name] ?? '#404040';
const paint: Paint = paintOf(token, true);

const word = (words: Uint32Array, item: number): { start: number; end: number; top: number; bottom: number; colour: number; flags: number; ratio: number; shape: number } => {
  const [start, end, two, three] = words.subarray(item * 4, item * 4 + 4) as unknown as [number, number, number, number];
  return { start, end, top: two & 0xffff, bottom: two >>> 16, colour: three & 255, flags: (three >>> 8) & 255, ratio: (three >>> 16) & 255, shape: three >>> 24 };
};

test('slices become rectangles of their line; open ends stay open, dense ones are hatched by their share', () => {
  const { words, n, isLines } = prepare(frameOf(sliceFrame({ lines: 2 }, [
    { start: 0, end: openEnd, row: 1, name: 1, count: 0, busy: 0, line: 0, flags: 8 | 16, colour: 3 }, { start: 10, end: 110, row: 2, name: 2, count: 4, busy: 50, line: 1, flags: 1, colour: 4 },
    { start: 200, end: 200, row: 3, name: 3, count: 1, busy: 0, line: 1, flags: 2, colour: 5 },
  ])), options);
  expect([n, isLines]).toEqual([3, true]);
  expect(word(words, 0)).toMatchObject({ start: 0, end: openEnd, top: 0, bottom: 1, colour: 3, shape: shapes.slice });
  expect(word(words, 1)).toMatchObject({ top: 1, bottom: 2, ratio: 128, shape: shapes.dense });
  expect(word(words, 2)).toMatchObject({ start: 200, end: 200, shape: shapes.mark });
  expect(hatchWidth(255, false)).toBeGreaterThan(hatchWidth(0, false));
});

test('TEF 9.3: a slice with CPU time has a second rectangle for the rest, also where it began or ends in other chunks', () => {
  const cpu = itemFlags.cpuTime;
  const restOf = (...items: readonly (readonly [number, number, number, number])[]): number[][] => {
    const { words, n } = prepare(frameOf(sliceFrame({ lines: 1 }, items.map(([start, end, busy, flags]) => ({ start, end, row: 1, name: 1, count: 1, busy, line: 0, flags, colour: 3 })))), options);
    return Array.from({ length: n }, (_, i) => word(words, i)).filter((i) => i.shape === shapes.rest).map((i) => [i.start, i.end, i.flags]);
  };
  expect(restOf([1000, 5000, 1500, cpu])).toEqual([[2500, 5000, 0]]);
  expect(restOf([1000, 5000, 4000, 0], [1000, 5000, 4000, cpu], [1000, 5000, 3900, cpu])).toEqual([]);
  expect(restOf([1000, openEnd, 1500, cpu | itemFlags.goesOn], [0, 9000, 0, cpu | itemFlags.beganBefore])).toEqual([[2500, openEnd, 0], [0, 9000, itemFlags.beganBefore]]);
  expect(restOf([1000, openEnd, 600_000, cpu | itemFlags.goesOn], [0, 5000, 100, cpu | itemFlags.unfinished])).toEqual([]);
  expect(restOf([0, 9000, 4000, cpu | itemFlags.cut | itemFlags.hasFlows])).toEqual([[4000, 9000, itemFlags.cut]]);
});

test('a counter is a step line from the value before to the end of the chunk', () => {
  const { words, n } = prepare(frameOf(counterFrame({}, { before: 5, low: 0, high: 10 }, [{ bucket: 4, min: 2, max: 8, last: 10, count: 3 }])), options);
  const items = Array.from({ length: n }, (_, i) => word(words, i));
  expect(items.filter((i) => i.shape === shapes.area).map((i) => [i.start, i.end, i.top, i.bottom])).toEqual([[0, 1024, 32768, 65535], [1024, openEnd, 0, 65535]]);
  // The band reaches from the smallest to the largest value of the bucket, and the value before.
  expect(items.find((i) => i.shape === shapes.line && i.start === i.end)).toMatchObject({ start: 1024, top: axisPlace(8, 0, 10), bottom: axisPlace(2, 0, 10) });
  expect(prepare(frameOf(counterFrame({}, { before: NaN, low: 0, high: 10 }, [])), options).n).toBe(0);
  expect([axisPlace(5, 5, 5), axisPlace(99, 0, 10), axisPlace(-5, 0, 10)]).toEqual([65535, 0, 65535]);
});

test('a logarithmic axis keeps 0 and the sign, and shows each of its decades', () => {
  const share = (value: number, low = 0, high = 1000): number => 1 - axisPlace(value, low, high, true) / 65535;
  expect(share(0)).toBe(0);
  expect(share(1000)).toBe(1);
  // Each factor of 10 is a third of the height, but for the linear part around 0.
  expect(share(100)).toBeCloseTo(2 / 3, 2);
  expect(share(10)).toBeCloseTo(1 / 3, 1);
  expect(share(-1000, -1000)).toBe(0);
  expect(share(0, -1000)).toBeCloseTo(0.5, 4);
});

test('counters of one unit share an axis that has room for all of them; others keep their own', () => {
  const axes = new Axes();
  const layer = (node: number, unit: string | null, style: Partial<Layer>): Layer => ({ node: { node, unit, title: `counter ${node}` } as Layer['node'], mode: 'value', y: 0, height: 20, lineHeight: 0, lines: 1, shape: shapes.area, ...style });
  const frame = (low: number, high: number): CounterFrame => frameOf(counterFrame({}, { before: NaN, low, high }, [])) as CounterFrame;
  const [small, large, other] = [frame(0, 10), frame(-5, 200), frame(0, 7)];
  const shared = { isShared: true };
  expect(axes.of(layer(1, 'MHz', shared), small)).toMatchObject({ low: 0, high: 10 });
  const whole = axes.of(layer(2, 'MHz', shared), large);
  expect(whole).toEqual({ low: -5, high: 200, isLog: false });
  expect(axes.of(layer(1, 'MHz', shared), small)).toBe(whole);
  expect(axes.of(layer(3, 'W', shared), other)).toMatchObject({ low: 0, high: 7 });
  // Frequencies of CPUs have no unit, and titles of their own.
  const frequency = (node: number): Layer => {
    const made = layer(node, null, shared);
    return { ...made, node: { ...made.node, track_type: 'cpu_frequency' } };
  };
  axes.of(frequency(4), small);
  expect(axes.of(frequency(5), large)).toEqual({ low: -5, high: 200, isLog: false });
  expect(axes.of(frequency(4), small)).toBe(axes.of(frequency(5), large));
  expect(axes.of(layer(6, null, shared), other)).toMatchObject({ low: 0, high: 7 });
  expect(axes.of(layer(1, 'MHz', {}), small)).toEqual({ low: 0, high: 10, isLog: false });
  expect(axes.of(layer(1, 'MHz', { isLog: true }), small)).toEqual({ low: 0, high: 10, isLog: true });
});

test('stacked series stand on each other; the axis grows with the totals', () => {
  const frame = frameOf(stackedFrame({}, [1, 2], [2, 3], [{ bucket: 2, low: 5, high: 20, last: [4, 6] }]));
  if (frame.kind !== 4) throw new Error('kind');
  const domain = widened({ low: 0, high: 10 }, frame);
  expect(domain).toEqual({ low: 0, high: 20 });
  const { words, n } = prepare(frame, { ...options, domain: { ...domain, isLog: false } });
  const items = Array.from({ length: n }, (_, i) => word(words, i));
  const areas = items.filter((i) => i.shape === shapes.strip);
  expect(areas.map((i) => [i.start, i.colour])).toEqual([[0, 72], [0, 73], [512, 72], [512, 73]]);
  expect(areas[1]?.bottom).toBe(areas[0]?.top);
  expect(areas[3]?.top).toBe(axisPlace(10, 0, 20));
  // A line divides the series, whatever their colours.
  expect(items.filter((i) => i.shape === shapes.line).map((i) => i.top)).toEqual(areas.map((i) => i.top));
});

test('negative series of a stack are below zero; the axis has room for both', () => {
  const frame = frameOf(stackedFrame({}, [1, 2, 3], [NaN, NaN, NaN], [{ bucket: 0, low: 1, high: 1, last: [4, -5, 2] }]));
  if (frame.kind !== 4) throw new Error('kind');
  const domain = widened({ low: 0, high: 0 }, frame);
  expect(domain).toEqual({ low: -5, high: 6 });
  const { words, n } = prepare(frame, { ...options, domain: { ...domain, isLog: false } });
  const areas = Array.from({ length: n }, (_, i) => word(words, i)).filter((i) => i.shape === shapes.strip);
  const at = (value: number): number => axisPlace(value, -5, 6);
  expect(areas.map((i) => [i.top, i.bottom])).toEqual([[at(4), at(0)], [at(0), at(-5)], [at(6), at(4)]]);
});

test('the series of a stack at a value is the one that is drawn there', () => {
  expect([0, 3.9, 4, 5.9, 6, -1, -5.1].map((value) => seriesAt([4, -5, 2], value))).toEqual([0, 0, 2, 2, -1, 1, -1]);
  fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 8 }), fc.nat(200), (values, value) => {
    const s = seriesAt(values, value);
    const below = values.slice(0, s).reduce((sum, v) => sum + v, 0);
    if (s >= 0) expect(value >= below && value < below + (values[s] ?? 0)).toBe(true);
    else expect(value >= values.reduce((sum, v) => sum + v, 0)).toBe(true);
  }));
});

test('marks are coloured by their worst priority, summaries by their names', () => {
  const marks = prepare(frameOf(markFrame({}, [{ bucket: 1, count: 1, row: 0, worst: 3 }, { bucket: 2, count: 9, row: 0, worst: 6 }])), options);
  expect([word(marks.words, 0).colour, word(marks.words, 1).colour]).toEqual([72, 36]);
  expect(word(marks.words, 1).top).toBeLessThan(word(marks.words, 0).top);
  const summary = prepare(frameOf(summaryFrame({}, [7, 0], [{ bucket: 3, share: [100, 0] }, { bucket: 4, share: [50, 50] }])), { ...options, nameColour: (id) => (id === 7 ? 9 : null) });
  expect(Array.from({ length: summary.n }, (_, i) => word(summary.words, i).colour)).toEqual([9, 9, 22]);
});

function drawn(items: readonly (readonly number[])[], change: (scene: Scene) => void = () => undefined): { at: (x: number, y: number) => number; picture: Picture } {
  const scene = new Scene();
  scene.begin(40, 20, 1);
  const words = new Uint32Array(items.length * 4);
  items.forEach(([start, end, line, colour, flags, ratio, shape], i) => words.set([start ?? 0, end ?? 0, (line ?? 0) | (((line ?? 0) + 1) << 16), ((colour ?? 0) | ((flags ?? 0) << 8) | ((ratio ?? 0) << 16) | ((shape ?? 0) << 24)) >>> 0], i * 4));
  Object.assign(scene.addBlock(), { items: { words, n: items.length, isLines: true }, x: 0, scale: 1, clipLeft: 0, clipRight: 40, y: 0, unit: 10, clipTop: 0, clipBottom: 20, isDimmed: false });
  change(scene);
  const picture = { pixels: new Int32Array(800), width: 40, height: 20 };
  drawScene(picture, scene, paint);
  return { at: (x, y) => picture.pixels[y * 40 + x] ?? 0, picture };
}

const fill = paint.table[tones.fill * 256 + 3];
const edge = paint.table[tones.edge * 256 + 3];

test('raster: a slice has its fill, an edge at its beginning, and a gap below', () => {
  const { at } = drawn([[5, 20, 0, 3, 0, 255, shapes.slice]]);
  expect([at(4, 0), at(5, 0), at(6, 0), at(19, 8), at(20, 0), at(6, 9)]).toEqual([paint.canvas, edge, fill, fill, paint.canvas, paint.canvas]);
});

test('raster: the rest of a slice without CPU time is paler, within the frame of the slice', () => {
  const rest = paint.table[tones.rest * 256 + 3];
  const { at } = drawn([[5, 30, 0, 3, 0, 255, shapes.slice], [15, 30, 0, 3, 0, 255, shapes.rest]]);
  expect([at(5, 4), at(15, 4), at(16, 4), at(29, 8), at(30, 4), at(20, 9)]).toEqual([edge, fill, rest, rest, paint.canvas, paint.canvas]);
  const light = paintOf(token, false);
  const scene = new Scene();
  scene.begin(40, 20, 1);
  const words = Uint32Array.of(0, 30, 1 << 16, (3 | (shapes.slice << 24)) >>> 0, 0, 30, 1 << 16, (3 | (itemFlags.beganBefore << 8) | (shapes.rest << 24)) >>> 0);
  Object.assign(scene.addBlock(), { items: { words, n: 2, isLines: true }, x: 0, scale: 1, clipLeft: 0, clipRight: 40, y: 0, unit: 10, clipTop: 0, clipBottom: 20, isDimmed: false });
  const picture = { pixels: new Int32Array(800), width: 40, height: 20 };
  drawScene(picture, scene, light);
  expect([picture.pixels[20], picture.pixels[4 * 40], picture.pixels[4 * 40 + 28], picture.pixels[4 * 40 + 29], picture.pixels[8 * 40 + 20]].map((p) => p === light.table[tones.rest * 256 + 3])).toEqual([false, true, true, false, false]);
});

test('notches of instants are seen on both canvases, and no black bar on the light one', () => {
  const contrastOf = (isDark: boolean): number => {
    const made = paintOf((name) => ({ 'bg-canvas': isDark ? '#0d0f12' : '#ffffff', 'text-1': isDark ? '#e9ecf1' : '#12161c' })[name] ?? '#808080', isDark);
    const rgb = (pixel: number): number => ((pixel & 255) << 16) | (pixel & 0xff00) | ((pixel >> 16) & 255);
    return contrast(rgb(made.instant), rgb(made.canvas));
  };
  expect(contrastOf(true)).toBeGreaterThan(10);
  expect(contrastOf(false)).toBeGreaterThan(3);
  expect(contrastOf(false)).toBeLessThan(7);
});

test('labels keep their contrast on the paler tone', () => {
  for (const isDark of [true, false]) {
    const theme = (name: string): string => /^slice-\d+$/.test(name) ? (isDark ? '#72712f' : '#c7c789') : ({ 'bg-canvas': isDark ? '#0d0f12' : '#ffffff', 'slice-text': isDark ? '#ffffff' : '#12161c' })[name] ?? '#808080';
    const { table, palette } = paintOf(theme, isDark);
    for (let i = 0; i < 23; i += 1) {
      const pixel = table[tones.rest * 256 + i] ?? 0;
      const rgb = ((pixel & 255) << 16) | (pixel & 0xff00) | ((pixel >> 16) & 255);
      expect(contrast(rgb, palette.label[i] ?? 0)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(rgb, palette.fill[i] ?? 0)).toBeGreaterThan(1.3);
    }
  }
});

test('raster: narrow slices have the colour of the edge and are at least a pixel; instants are a line', () => {
  const { at } = drawn([[5, 5, 0, 3, 0, 255, shapes.slice], [10, 12, 0, 3, 0, 255, shapes.slice], [30, 39, 0, 3, itemFlags.instant, 255, shapes.mark]]);
  expect([at(5, 0), at(6, 0), at(10, 0), at(11, 0), at(30, 0), at(31, 0)]).toEqual([edge, paint.canvas, edge, edge, edge, paint.canvas]);
});

test('raster: what began before has no edge, what did not finish fades, a cut end is marked', () => {
  const open = drawn([[0, openEnd, 0, 3, itemFlags.beganBefore | itemFlags.goesOn, 255, shapes.slice]]);
  expect([open.at(0, 0), open.at(39, 0)]).toEqual([fill, fill]);
  const faded = drawn([[0, 40, 0, 3, itemFlags.unfinished, 255, shapes.slice]]);
  expect(faded.at(10, 4)).toBe(fill);
  expect((faded.at(38, 4) >> 8) & 255).toBeLessThan(80);
  // A state that did not finish may go on for days: it is pale all over.
  const state = drawn([[0, 40, 0, 3, itemFlags.unfinished, 255, shapes.strip]]);
  expect([state.at(1, 4), state.at(38, 4)]).toEqual([paint.table[tones.soft * 256 + 3], paint.table[tones.soft * 256 + 3]]);
  const cut = drawn([[0, 40, 0, 3, itemFlags.cut, 255, shapes.slice]]);
  expect([cut.at(39, 0), cut.at(39, 3)]).toEqual([paint.lost, fill]);
});

test('raster: dense items are hatched, more if they are busier, and show an instant among them', () => {
  const count = (ratio: number): number => {
    const { picture } = drawn([[0, 40, 0, 3, itemFlags.dense, ratio, shapes.dense]]);
    return picture.pixels.filter((p) => p === edge).length;
  };
  expect(count(250)).toBeGreaterThan(1.5 * count(10));
  // A notch at the top: narrow items beside each other keep their colours.
  const notched = drawn([[0, 2, 0, 3, itemFlags.dense | itemFlags.instant, 0, shapes.dense]]);
  expect([notched.at(0, 0), notched.at(0, 1), notched.at(1, 7)]).toEqual([paint.instant, paint.instant, edge]);
  // Items of 2 px beside each other are hatched as one wide item.
  const many = drawn(Array.from({ length: 20 }, (_, i) => [2 * i, 2 * i + 2, 0, 3, itemFlags.dense, 170, shapes.dense]));
  const one = drawn([[0, 40, 0, 3, itemFlags.dense, 170, shapes.dense]]);
  expect(new Set(Array.from({ length: 40 }, (_, x) => many.at(x, 4))).size).toBe(2);
  expect([...many.picture.pixels]).toEqual([...one.picture.pixels]);
});

test('raster: dimmed blocks are nearer to the canvas, and nothing is drawn outside the clip', () => {
  const dim = drawn([[0, 40, 0, 3, 0, 255, shapes.slice]], (scene) => {
    const block = scene.blocks[0];
    if (block) Object.assign(block, { isDimmed: true, clipLeft: 10, clipRight: 20, clipTop: 2, clipBottom: 5 });
  });
  expect(dim.at(12, 3)).toBe(paint.table[toneCount * 256 + 3]);
  expect([dim.at(9, 3), dim.at(20, 3), dim.at(12, 1), dim.at(12, 5)]).toEqual([paint.canvas, paint.canvas, paint.canvas, paint.canvas]);
});

test('raster: no item writes outside the picture', () => {
  fc.assert(fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 7 })), { maxLength: 20 }), fc.double({ min: -1e6, max: 1e6, noNaN: true }), (items, x) => {
    const { picture } = drawn(items, (scene) => {
      const block = scene.blocks[0];
      if (block) Object.assign(block, { x, clipLeft: -50, clipRight: 90, clipTop: -50, clipBottom: 90 });
    });
    expect(picture.pixels.length).toBe(800);
  }));
});

test('colours between two pixels', () => {
  expect(mixedPixel(0xff000000 | 0, 0xffffffff | 0, 0.5)).toBe(0xff7f7f7f | 0);
});

test('arena: chunks keep their place until they are overwritten; what is shown is never overwritten', () => {
  const arena = new Arena(100, 8);
  const chunk = (n: number): { words: Uint32Array; n: number; isLines: boolean } => ({ words: new Uint32Array(0), n, isLines: true });
  const [a, b, c] = [chunk(60), chunk(40), chunk(50)];
  expect(arena.place(a, 1)).toMatchObject({ isNew: true, placed: { at: 0 } });
  expect(arena.place(b, 1)).toMatchObject({ isNew: true, placed: { at: 60 } });
  expect(arena.place(a, 2)).toMatchObject({ isNew: false });
  expect(arena.place(c, 2)).toBeNull(); // would overwrite a, which is shown
  expect(arena.place(c, 3)).toMatchObject({ isNew: true, placed: { at: 0 } });
  expect(arena.place(b, 3)).toMatchObject({ isNew: false });
  expect(arena.place(chunk(101), 4)).toBeNull();
});

test('arena: what a frame draws twice has two places, and slots that change hands are forgotten', () => {
  const forgotten: number[] = [];
  const arena = new Arena(100, 3, ({ slot }) => forgotten.push(slot));
  const chunk = (n: number): { words: Uint32Array; n: number; isLines: boolean } => ({ words: new Uint32Array(0), n, isLines: true });
  const a = chunk(10);
  const first = arena.place(a, 1);
  const second = arena.place(a, 1);
  expect(second?.isNew).toBe(true);
  expect(new Set([0, first?.placed.slot, second?.placed.slot]).size).toBe(3);
  expect(arena.place(a, 2)).toMatchObject({ isNew: false });
  expect(arena.place(chunk(10), 2)).toMatchObject({ isNew: true, placed: { slot: second?.placed.slot } });
  expect(forgotten).toEqual([second?.placed.slot]);
});

test('arena: at most the wanted number of ranges, which hold all that is shown', () => {
  fc.assert(fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 1, max: 90 })), { minLength: 1, maxLength: 200 }), (parts) => {
    const ranges = parts.flatMap(([at, n]) => [at, at + n]);
    const count = joinRanges(ranges, parts.length, 12);
    expect(count).toBeLessThanOrEqual(12);
    for (const [at, n] of parts) {
      let isIn = false;
      for (let i = 0; i < count; i += 1) isIn ||= (ranges[2 * i] ?? 0) <= at && at + n <= (ranges[2 * i + 1] ?? 0);
      expect(isIn).toBe(true);
    }
  }));
});

test('labels are cut with an ellipsis, and left out where not even a character fits', () => {
  const fitting = new Fitting((text) => Array.from(text).length * 6);
  expect([fitting.fit('short', 100), fitting.fit('Choreographer#doFrame', 60), fitting.fit('x'.repeat(50), 8), fitting.fit('𝒳'.repeat(20), 36)]).toEqual(['short', 'Choreogra…', '', '𝒳𝒳𝒳𝒳𝒳…']);
});

test('a label of the axis that the edge would cut is left out; ticks are not', () => {
  const texts: string[] = [];
  let marks = 0;
  const g = { fillText: (text: string) => texts.push(text), fillRect: () => (marks += 1), measureText: (text: string) => ({ width: 6 * text.length }) };
  const tick = (x: number, text: string): Tick => ({ x, text, isMajor: false, width: 0 }) as Tick;
  drawTicks(g as unknown as CanvasRenderingContext2D, [tick(0, '.100'), tick(60, '.200'), tick(104, '.300')], 0, 130, { token: () => '' } as unknown as Paint, 'mono');
  expect(texts).toEqual(['.100', '.200']);
  expect(marks).toBe(3);
  // Nor is one that the bracket of the selection covers in part.
  texts.length = 0;
  drawTicks(g as unknown as CanvasRenderingContext2D, [tick(0, '.100'), tick(60, '.200'), tick(104, '.300')], 0, 230, { token: () => '' } as unknown as Paint, 'mono', [80, 100]);
  expect(texts).toEqual(['.100', '.300']);
});
