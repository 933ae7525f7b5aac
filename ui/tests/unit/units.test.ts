/** Numbers with units: the same texts as src/report/units.cc prints, with µ and a minus sign. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agoText, bytesText, counted, countText, elapsedText, offsetText, secondsText, spanText, utcText } from '../../src/lib/units';

test('lengths of time', () => {
  const s = 1_000_000_000n;
  const cases: [bigint, string][] = [
    [0n, '0'], [1n, '1 ns'], [999n, '999 ns'], [1000n, '1 µs'], [838_204n, '838.204 µs'], [10_007_867n, '10.007 ms'], [1_399_233_640n, '1.399 s'],
    [59_999_999_999n, '59.999 s'], [60n * s, '1m00s'], [148_007_000_000n, '2m28.007s'], [-11_524_197_000_000n, '−3h12m04.197s'], [86_400n * s, '1d00h00m'],
    [9_223_372_036_854_775_807n, '106751d23h47m'],
  ];
  for (const [ns, text] of cases) expect(spanText(ns)).toBe(text);
  expect(offsetText(148_007_000_000n)).toBe('+2m28.007s');
  expect(offsetText(-5n)).toBe('−5 ns');
});

test('counts and sizes', () => {
  expect(countText(1_204_331)).toBe('1,204,331');
  expect(countText(-9_223_372_036_854_775_808n)).toBe('-9,223,372,036,854,775,808');
  expect(counted(1, 'event')).toBe('1 event');
  expect(counted(2n, 'event')).toBe('2 events');
  expect(bytesText(412)).toBe('412 B');
  expect(bytesText(1_590_000)).toBe('1.5 MB');
  expect(bytesText(412_000_000)).toBe('412 MB');
});

test('dates are exact to the nanosecond, also before 1970', () => {
  expect(utcText(1_795_176_332_000_169_866n)).toBe('2026-11-20 12:05:32.000 UTC');
  expect(utcText(1_795_176_332_000_169_866n, 9)).toBe('2026-11-20 12:05:32.000169866 UTC');
  expect(utcText(-1n, 9)).toBe('1969-12-31 23:59:59.999999999 UTC');
  expect(utcText(0n, 0)).toBe('1970-01-01 00:00:00 UTC');
});

test('seconds keep all places', () => {
  expect(secondsText(147_757_169_866n)).toBe('147.757169866');
  fc.assert(fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (ns) => {
    const text = secondsText(ns).replace('−', '-').replace('.', '');
    return BigInt(text) === ns;
  }));
});

test('moments and elapsed times', () => {
  const now = Date.parse('2026-11-24T15:00:00Z');
  expect(agoText(now - 5000, now)).toBe('now');
  expect(agoText(now - 4 * 60_000, now)).toBe('4 min ago');
  expect(agoText(now - 2 * 3_600_000, now)).toBe('2 h ago');
  expect(agoText(now - 30 * 3_600_000, now)).toBe('yesterday');
  expect(agoText(Date.parse('2026-11-18T12:00:00Z'), now)).toBe('18 Nov');
  expect(agoText(Date.parse('2025-01-02T12:00:00Z'), now)).toBe('2 Jan 2025');
  expect([elapsedText(0.3), elapsedText(38.2), elapsedText(1250), elapsedText(75_000)]).toEqual(['<1 ms', '38 ms', '1.25 s', '1m15s']);
});
