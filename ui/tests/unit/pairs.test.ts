/** Pairs of events that are one moment. */
import { afterEach, expect, test } from 'vitest';
import { emptyManifest, placingOf, withPlacing, type Placing } from '../../src/lib/manifest';
import { otherReading, withPair, type Pairs, type Picked } from '../../src/lib/pairs';
import { inRows, type LaneSlice } from '../../src/lib/preview';
import type { Report } from '../../src/lib/report_types';
import { firstPick, forgetPairs, pairs, pick, refusal } from '../../src/state/merge_pairs';
import { placedBy } from '../mock/manifests.mjs';
import reportOfExamples from '../mock/report.json';

const report = placedBy(reportOfExamples as unknown as Report, { perfetto_manifest: {} }) as Report; // app.json is guessed
const nameOf = (file: string): string => file;
const event = (file: string, ts: bigint, reading = ts, clock: string | null = ''): Picked => ({ file, ts, reading, clock, name: '' });

afterEach(forgetPairs);

test('readings of the other clock, along offset, drift and points', () => {
  const to = { file: 'b', clock: '' };
  expect(otherReading({ kind: 'offset', ...to, offset: -5n }, 7n)).toBe(2n);
  const drifting = { kind: 'offset', ...to, offset: 50n, drift: 100, at: 10n } as const;
  expect([10n, 1_000_000_010n, 10_000_000_010n].map((own) => otherReading(drifting, own))).toEqual([60n, 999_900_070n, 9_999_000_160n]);
  const points = { kind: 'points', ...to, points: [{ own: 0n, other: 100n }, { own: 10n, other: 120n }, { own: 20n, other: 125n }] } as const;
  expect([-5n, 0n, 5n, 10n, 15n, 16n, 30n].map((own) => otherReading(points, own))).toEqual([90n, 100n, 110n, 120n, 123n, 123n, 130n]);
  expect(otherReading({ ...points, points: points.points.slice(0, 1) }, 3n)).toBe(103n);
});

test('slices of a lane in rows', () => {
  const slice = (ts: bigint, dur: bigint, name: string): LaneSlice => ({ ts, dur, depth: 0, name });
  const all = [slice(0n, 10n, 'a'), slice(2n, 3n, 'b'), slice(3n, 9n, 'c'), slice(5n, 0n, 'd'), slice(5n, 2n, 'e'), slice(6n, -1n, 'f')];
  expect(inRows(all, 2).map(({ slice: s, row }) => s.name + String(row))).toEqual(['a0', 'b1', 'd1', 'f1']);
  expect(inRows(all, 9).map(({ slice: s, row }) => s.name + String(row))).toEqual(['a0', 'b1', 'c2', 'd1', 'e3', 'f1']);
});

test('a pair is an offset, more pairs are points, and others start anew', () => {
  const phone = 'phone.pftrace';
  const one = withPair(report, { kind: 'automatic' }, event('app.json', 1000n), event(phone, 5000n), null, nameOf) as Pairs;
  expect(one.placing).toEqual({ kind: 'offset', file: phone, clock: 'BOOTTIME', offset: 4000n });
  // As placed by the first pair, the second event of the file lies 20 ns before its moment.
  const two = withPair(report, one.placing, event('app.json', 14_000n, 10_000n), event(phone, 14_020n), one, nameOf) as Pairs;
  expect(two.placing).toEqual({ kind: 'points', file: phone, clock: 'BOOTTIME', points: [{ own: 1000n, other: 5000n }, { own: 10_000n, other: 14_020n }] });
  // The manifest was changed since: the pairs are forgotten.
  const moved: Placing = { kind: 'offset', file: phone, clock: 'BOOTTIME', offset: 4001n };
  expect((withPair(report, moved, event('app.json', 14_001n, 10_000n), event(phone, 14_020n), one, nameOf) as Pairs).placing).toEqual({ ...moved, offset: 4020n });
  // The text of a manifest has all that a pair says.
  const written = withPlacing(emptyManifest(), 'app.json', two.placing);
  expect(placingOf(written, 'app.json')).toEqual(two.placing);
  const three = withPair(report, placingOf(written, 'app.json'), event('app.json', 24_000n, 20_000n), event(phone, 24_100n), two, nameOf) as Pairs;
  expect(three.points.map((p) => p.own)).toEqual([1000n, 10_000n, 20_000n]);
  // The same event again replaces its pair.
  expect((withPair(report, one.placing, event('app.json', 5000n, 1000n), event(phone, 5007n), one, nameOf) as Pairs).placing).toEqual({ ...one.placing, offset: 4007n });
});

test('pairs that cross, and events of other clocks, are refused', () => {
  const one = withPair(report, { kind: 'automatic' }, event('app.json', 1000n), event('phone.pftrace', 5000n), null, nameOf) as Pairs;
  expect(withPair(report, one.placing, event('app.json', 14_000n, 10_000n), event('phone.pftrace', 4000n), one, nameOf)).toMatch(/cross/);
  const clock: Placing = { kind: 'offset', file: 'phone.pftrace', clock: 'BOOTTIME', own: 'BOOTTIME', offset: 0n };
  expect(withPair(report, clock, event('watch.pftrace', 1n, 1n, null), event('phone.pftrace', 2n), null, nameOf)).toMatch(/pick an event of that clock/);
  expect((withPair(report, clock, event('watch.pftrace', 1n, 1n, 'BOOTTIME'), event('phone.pftrace', 2n), null, nameOf) as Pairs).placing).toEqual({ ...clock, offset: 1n });
});

test('picks: the file of the form moves if it can, else the other one', () => {
  const placed: [string, Placing][] = [];
  const at = { report, placingOf: (): Placing => ({ kind: 'automatic' }), nameOf, file: 'phone.pftrace', onPlace: (file: string, placing: Placing) => void placed.push([file, placing]) };
  pick(event('phone.pftrace', 10n), at);
  pick(event('phone.pftrace', 20n), at); // replaces it
  expect(firstPick.value?.ts).toBe(20n);
  pick(null, at);
  expect(refusal.value).toMatch(/no event/);
  pick(event('app.json', 5n), at);
  expect([placed, refusal.value, firstPick.value]).toEqual([[['app.json', { kind: 'offset', file: 'phone.pftrace', clock: 'BOOTTIME', offset: 15n }]], '', null]);
  expect(pairs.value?.points).toEqual([{ own: 5n, other: 20n }]);
  pick(event('phone.pftrace', 1n), at);
  pick(event('watch.pftrace', 2n), at);
  expect(refusal.value).toMatch(/Relate a clock/);
  expect(placed.length).toBe(1);
});
