/** The preview of a merge: times and pixels, what may be moved, marks and snapping. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Placing } from '../../src/lib/manifest';
import { marksOf, mobilityOf, movedPlacing, panned, snapped, timeOf, wholeSpan, xOf, zoomed, type Lane, type Mark } from '../../src/lib/preview';
import type { Report } from '../../src/lib/report_types';
import reportOfExamples from '../mock/report.json';

const report = reportOfExamples as unknown as Report;
const lane = (path: string, times: bigint[], counts: number[] = times.map(() => 1), buckets: number[] = times.map((_, i) => i)): Lane => ({
  file: 0, path, name: path, events: BigInt(times.length), first: times[0] ?? null, last: times.at(-1) ?? null, buckets, counts, firsts: times,
});
const same = (name: string): string => name;

test('times and pixels', () => {
  const span = { from: 1000n, to: 2000n };
  expect([xOf(1500n, span, 100), timeOf(10, span, 100)]).toEqual([50, 100n]);
  expect(zoomed(span, 0.5)).toEqual({ from: 1250n, to: 1750n });
  expect(zoomed(span, 0.5, 0)).toEqual({ from: 1000n, to: 1500n });
  expect(zoomed(span, 1e-9).to - zoomed(span, 1e-9).from).toBe(100n);
  expect(panned(span, -5n)).toEqual({ from: 995n, to: 1995n });
  const whole = wholeSpan(report);
  for (const p of report.placements) expect(BigInt(p.first_ts ?? 0) > whole.from && BigInt(p.last_ts ?? 0) < whole.to).toBe(true);
  expect(wholeSpan({ ...report, placements: [] })).toEqual({ from: 0n, to: 1_000_000n });
});

test('only a file with a timeline of its own may be moved', () => {
  expect(mobilityOf(report, 'app.json')).toBe('free');
  expect(mobilityOf(report, 'phone.pftrace')).toBe('clocks');
  expect(mobilityOf(report, 'nothing')).toBe('empty');
  const alone = { ...report, placements: report.placements.filter((p) => p.file === 'app.json').map((p) => ({ ...p, rule: 'is_timeline' })) };
  expect(mobilityOf(alone, 'app.json')).toBe('timeline');
});

test('a moved file keeps what it refers to, or is related to the timeline', () => {
  const offset: Placing = { kind: 'offset', file: 'b', clock: 'MONOTONIC', offset: 5n };
  expect(movedPlacing(report, 'app.json', offset, -7n, same)).toEqual({ ...offset, offset: -2n });
  expect(movedPlacing(report, 'app.json', { kind: 'automatic' }, 3n, same)).toEqual({ kind: 'offset', file: 'phone.pftrace', clock: 'BOOTTIME', offset: 148_007_000_003n });
  expect(movedPlacing(report, 'app.json', { kind: 'other' }, 3n, same)).toBe(null);
  expect(movedPlacing({ ...report, placements: [] }, 'app.json', { kind: 'automatic' }, 3n, same)).toBe(null);
});

test('marks are ends, events after a pause, and peaks', () => {
  const marks = marksOf(lane('a', [10n, 11n, 30n, 31n, 32n], [1, 1, 1, 9, 1], [0, 1, 20, 21, 22]));
  expect(marks.map((m) => [m.kind, m.ts])).toEqual([['start', 10n], ['end', 32n], ['event', 30n], ['event', 31n]]);
  expect(marksOf(lane('a', []))).toEqual([]);
});

test('a lane snaps to the nearest mark within reach, and only then', () => {
  const mark = (ts: bigint): Mark => ({ ts, file: 'b', kind: 'event' });
  expect(snapped([mark(0n)], [mark(100n), mark(120n)], 97n, 8n)).toMatchObject({ by: 100n, to: { ts: 100n } });
  expect(snapped([mark(0n), mark(50n)], [mark(100n), mark(151n)], 99n, 8n).by).toBe(100n);
  expect(snapped([mark(0n)], [mark(100n)], 91n, 8n)).toEqual({ by: 91n, to: null });
  expect(snapped([], [], 5n, 8n)).toEqual({ by: 5n, to: null });
  const time = fc.bigInt({ min: -1000n, max: 1000n });
  fc.assert(fc.property(fc.array(time), fc.array(time), time, fc.bigInt({ min: 0n, max: 50n }), (own, others, by, reach) => {
    const found = snapped(own.map(mark), others.map(mark), by, reach);
    const magnitude = (a: bigint): bigint => (a < 0n ? -a : a);
    const distances = own.flatMap((a) => others.map((b) => magnitude(b - a - by)));
    const least = distances.reduce((a, b) => (a < b ? a : b), reach + 1n);
    expect(found.to !== null).toBe(least <= reach);
    expect(magnitude(found.by - by)).toBe(found.to === null ? 0n : least);
  }));
});
