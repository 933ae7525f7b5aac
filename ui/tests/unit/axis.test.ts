/** Ticks of the axis and times in full. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { axisFormats, exactTime, frequencyText, majorStep, TickLine, ticksOf, tickStep, timeLabel } from '../../src/lib/axis';

const s = 1_000_000_000n;
const origin = { start: 100n * s, utcOffset: 1_795_176_332n * s };
const thin = (text: string): string => text.replace(/\u2009/g, ' ');

test('steps are round, and majors are multiples of them', () => {
  expect([tickStep(1), tickStep(3), tickStep(12_345), tickStep(9e8), tickStep(7e9), tickStep(4e13)]).toEqual([1n, 5n, 20_000n, s, 10n * s, 43_200n * s]);
  for (let ns = 1; ns < 1e17; ns *= 3.3) {
    const step = tickStep(ns);
    expect(Number(step)).toBeGreaterThanOrEqual(ns * 0.999);
    expect(majorStep(step) % step).toBe(0n);
  }
});

test('labels say the whole time at major ticks, and what changes between them', () => {
  const ticks = ticksOf({ from: 132n * s + 610_000_000n, part: 0, span: 420e6 }, 1100, 'seconds', origin);
  expect(ticks.slice(0, 6).map((t) => [t.text, t.isMajor])).toEqual([['32.650', false], ['.700', false], ['.750', false], ['.800', false], ['.850', false], ['.900', false]]);
  const fine = ticksOf({ from: 100n * s, part: 0, span: 300_000 }, 1000, 'seconds', origin).map((t) => thin(t.text));
  expect(fine.slice(0, 4)).toEqual(['0.000 000', '+20 µs', '+40 µs', '+60 µs']);
  const finest = ticksOf({ from: 100n * s + 40n, part: 0, span: 20 }, 1000, 'seconds', origin).map((t) => thin(t.text));
  expect(finest.slice(0, 3)).toEqual(['0.000 000 040', '+2 ns', '+4 ns']);
});

test('formats count from their own origin', () => {
  const ts = 101n * s + 234_567_890n;
  expect(thin(timeLabel(ts, 'seconds', origin, 1000n))).toBe('1.234 567');
  expect(thin(timeLabel(ts, 'timecode', origin, 1_000_000n))).toBe('00:00:01.234');
  expect(thin(timeLabel(ts, 'utc', origin, s))).toBe('12:07:13');
  expect(thin(timeLabel(ts, 'raw', origin, s))).toBe('101 234 567 890');
  expect(thin(timeLabel(99n * s, 'seconds', origin, s))).toBe('−1 s');
  expect(thin(exactTime(ts, 'seconds', origin))).toBe('1.234 567 890 s');
  expect(exactTime(ts, 'utc', origin)).toBe('2026-11-20 12:07:13.234567890 UTC');
  expect(thin(exactTime(ts, 'raw', origin))).toBe('101 234 567 890 ns');
  expect(thin(exactTime(ts, 'utc', { start: 0n, utcOffset: null }))).toBe('101.234 567 890 s');
});

test('midnight has the date where steps are long', () => {
  const midnight = 1_795_219_200n * s - origin.utcOffset;
  expect(timeLabel(midnight, 'utc', origin, 3600n * s)).toBe('Nov 21');
  expect(timeLabel(midnight, 'utc', origin, s)).toBe('00:00:00');
  expect(timeLabel(midnight + 3600n * s, 'utc', origin, 3600n * s)).toBe('01:00:00');
});

test('ticks are apart, in order, and few, at any window', () => {
  fc.assert(fc.property(fc.bigInt(-(2n ** 61n), 2n ** 61n), fc.double({ min: 8, max: 1e18, noNaN: true }), fc.constantFrom(...axisFormats), (from, span, format) => {
    const ticks = ticksOf({ from, part: 0.5, span }, 1000, format, origin);
    expect(ticks.length).toBeLessThanOrEqual(16);
    for (let i = 1; i < ticks.length; i += 1) expect((ticks[i]?.x ?? 0) - (ticks[i - 1]?.x ?? 0)).toBeGreaterThan(63);
    for (const t of ticks) expect(t.x).toBeGreaterThanOrEqual(-1e-3);
  }));
});

test('spans as frequencies', () => {
  expect([frequencyText(38.214e6), frequencyText(1e9), frequencyText(1), frequencyText(0), frequencyText(125e3)]).toEqual(['26.2 Hz', '1.00 Hz', '1.00 GHz', '', '8.00 kHz']);
});

test('each whole second has a full label, also where major ticks are further apart', () => {
  const ticks = ticksOf({ from: 0n, part: 0, span: 4.5e9 }, 1000, 'seconds', { start: 0n, utcOffset: null });
  expect(ticks.map((t) => [t.text, t.isMajor]).slice(0, 4)).toEqual([['0.000', true], ['.500', false], ['1.000', true], ['.500', false]]);
});

test('ticks of a line are those of a new one, however the window moves', () => {
  const line = new TickLine();
  fc.assert(fc.property(fc.bigInt(-(10n ** 15n), 10n ** 15n), fc.double({ min: 8, max: 1e13, noNaN: true }), fc.constantFrom(...axisFormats), (from, span, format) => {
    const window = { from, part: 0.25, span };
    const origin = { start: 5n, utcOffset: 1_700_000_000_000_000_000n };
    expect(line.of(window, 900, format, origin)).toEqual(ticksOf(window, 900, format, origin));
  }));
});

test('a clock of a machine is shown by its own readings', () => {
  const ts = 101n * s + 234_567_890n;
  const wall = { ...origin, clock: { label: 'REALTIME of watch', offset: 1_795_176_332n * s + 5_000_000n, bound: 10n, isWall: true } };
  expect(thin(timeLabel(ts, 'clock', wall, 1_000_000n))).toBe('12:07:13.239');
  expect(exactTime(ts, 'clock', wall)).toBe('2026-11-20 12:07:13.239567890 UTC');
  const boot = { ...origin, clock: { label: 'BOOTTIME of watch', offset: -100n * s, bound: null, isWall: false } };
  expect(thin(exactTime(ts, 'clock', boot))).toBe('1.234 567 890 s');
  // Ticks are round readings of the clock, not of the timeline.
  const odd = { ...origin, clock: { ...boot.clock, offset: 123_456_789n } };
  for (const tick of ticksOf({ from: 100n * s, part: 0, span: 1e9 }, 1000, 'clock', odd)) expect(thin(tick.text)).toMatch(/^(\d+\.\d00|\.\d00|\d+\.\d50|\.\d50)$/);
  expect(exactTime(ts, 'clock', origin)).toBe(exactTime(ts, 'seconds', origin)); // while its reading is not known
});
