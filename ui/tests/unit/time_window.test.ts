/** Windows of time: exact far from zero, fixed points of zoom, levels and tiles. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitted, levelOf, limited, moved, rangeOf, tileAt, tilePlace, tileSpan, tilesOf, timeAt, xOf, zoomed } from '../../src/lib/time_window';

const bounds = { from: 0n, to: 10n ** 16n };

test('far_apart: two events 1 ns apart are at two places, also 132 days from the start', () => {
  const far = 132n * 86_400n * 10n ** 9n;
  const window = { from: far - 10n, part: 0, span: 20 };
  expect(xOf(window, 1000, far)).toBe(500);
  expect(xOf(window, 1000, far + 1n)).toBe(550);
  expect(timeAt(window, 1000, 550)).toBe(far + 1n);
  const place = tilePlace(window, 1000, 0, tileAt(0, far));
  const inside = Number(far - tileAt(0, far) * tileSpan(0)) * 256;
  expect(place.x + inside * place.scale).toBeCloseTo(500, 6);
});

test('zooming keeps the time under the pointer', () => {
  fc.assert(fc.property(fc.bigInt(10n ** 15n, 9n * 10n ** 15n), fc.integer({ min: 1000, max: 10 ** 12 }), fc.double({ min: 0.2, max: 4, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (from, span, factor, share) => {
    const before = { from, part: 0.25, span };
    const after = zoomed(before, factor, share, bounds);
    const drift = Number(after.from - before.from) + after.part - before.part + share * (after.span - before.span);
    expect(Math.abs(drift)).toBeLessThan(Math.max(1e-3, before.span * 1e-9));
  }));
});

test('windows stay between 8 ns and 110 % of the trace, with their middle in it', () => {
  expect(zoomed({ from: 5n, part: 0, span: 10 }, 0.1, 0.5, bounds).span).toBe(8);
  expect(zoomed({ from: 5n, part: 0, span: 10 }, 1e30, 0.5, bounds).span).toBe(1.1e16);
  const left = limited({ from: -(10n ** 17n), part: 0, span: 1000 }, bounds);
  expect(Number(left.from) + 500).toBe(0);
  const right = limited({ from: 10n ** 17n, part: 0, span: 1000 }, bounds);
  expect(right.from + 500n).toBe(bounds.to);
  const all = fitted(bounds);
  expect([xOf(all, 1100, bounds.from), xOf(all, 1100, bounds.to)]).toEqual([expect.closeTo(50, 3), expect.closeTo(1050, 3)]);
  expect(fitted({ from: 5n, to: 5n }).span).toBe(8);
});

test('moving there and back is exact to a thousandth of a nanosecond', () => {
  fc.assert(fc.property(fc.bigInt(-(2n ** 62n), 2n ** 62n), fc.double({ min: -1e6, max: 1e6, noNaN: true }), (from, ns) => {
    const back = moved(moved({ from, part: 0.5, span: 8 }, ns), -ns);
    expect(Number(back.from - from) + back.part).toBeCloseTo(0.5, 6);
    expect(back.part).toBeGreaterThanOrEqual(0);
    expect(back.part).toBeLessThan(1);
  }));
});

test('a bucket of the level is 0.5 to 1 px wide', () => {
  for (let span = 4000; span < 1e18; span *= 1.37) {
    const level = levelOf({ from: 0n, part: 0, span }, 1000);
    const px = (2 ** level * 1000) / span;
    expect(px).toBeGreaterThanOrEqual(0.5 - 1e-6);
    expect(px).toBeLessThan(1 + 1e-6);
  }
  expect(levelOf({ from: 0n, part: 0, span: 8 }, 1000)).toBe(0);
});

test('tiles cover a range, and their numbers are negative before time 0', () => {
  expect(tilesOf(0, { from: -1n, to: 512n })).toEqual({ first: -1n, count: 2 });
  expect(tilesOf(3, { from: 4096n, to: 4097n })).toEqual({ first: 1n, count: 1 });
  expect(tilesOf(0, { from: 5n, to: 5n })).toEqual({ first: 0n, count: 1 });
  expect(tileAt(54, -(2n ** 62n))).toBe(-1n);
  fc.assert(fc.property(fc.bigInt(-(2n ** 60n), 2n ** 60n), fc.bigInt(1n, 2n ** 40n), fc.integer({ min: 20, max: 40 }), (from, length, level) => {
    const { first, count } = tilesOf(level, { from, to: from + length });
    expect(first * tileSpan(level)).toBeLessThanOrEqual(from);
    expect((first + BigInt(count)) * tileSpan(level)).toBeGreaterThanOrEqual(from + length);
  }));
  expect(rangeOf({ from: 3n, part: 0.5, span: 1 })).toEqual({ from: 3n, to: 5n });
});

test('no tile is asked for beyond 64 bits of time', () => {
  expect(tilesOf(54, { from: -(2n ** 63n) - 5n, to: 2n ** 63n + 5n })).toEqual({ first: -1n, count: 2 });
  expect(tilesOf(54, { from: 2n ** 63n, to: 2n ** 64n })).toEqual({ first: 0n, count: 1 });
});
