/** The part of a trace that is shown first. */
import { expect, test } from 'vitest';
import type { TreeNode } from '../../src/api/timeline';
import { fitted, moved, zoomed, type TimeWindow } from '../../src/lib/time_window';
import { firstPart, isWithin } from '../../src/timeline/first_window';
import { minimapWindow } from '../../src/timeline/minimap';
import type { TimelineView } from '../../src/timeline/view';

const day = 86_400_000_000_000n;
const track = (first: bigint, last: bigint, events: number): TreeNode => ({
  node: 0, key: '', parent: null, level: 0, type: 'track', kind: 'slice', title: '', detail: '', children: 0, hidden: 0, empty: false, machine_id: 0, trace_id: 0, upid: null, utid: null, ucpu: null, tracks: [],
  track_type: null, unit: null, lines: 1, modes: [], events: String(events), first_ts: String(first), last_ts: String(last), bound: { kind: 'exact' }, linked: [],
});

test('a trace without long gaps is shown whole', () => {
  const bounds = { from: 0n, to: 1000n };
  expect(firstPart([track(0n, 1000n, 5), track(400n, 600n, 50)], bounds)).toBeNull();
  expect(firstPart([], bounds)).toBeNull();
});

test('a file that is days away leaves the first view to the others, and is counted', () => {
  const bounds = { from: 0n, to: 11n * day };
  const near = [track(0n, 7_000_000_000n, 900), track(1_000_000_000n, bounds.to, 50)];
  const far = track(11n * day - 5_000_000_000n, bounds.to, 20);
  expect(firstPart([...near, far], bounds)).toEqual({ range: { from: 0n, to: 7_000_000_000n }, outside: 1 });
});

test('the whole trace is shown if no side of a gap has many events', () => {
  const bounds = { from: 0n, to: 11n * day };
  expect(firstPart([track(0n, 1_000_000_000n, 350), track(5n * day, 5n * day + 10n, 300), track(11n * day - 1_000_000_000n, 11n * day - 1n, 350)], bounds)).toBeNull();
});

test('gaps within the part are left out, too', () => {
  const bounds = { from: 0n, to: 1000n * day };
  const part = firstPart([track(0n, day, 1000), track(50n * day, 51n * day, 1), track(999n * day, 1000n * day, 1)], bounds);
  expect(part).toEqual({ range: { from: 0n, to: day }, outside: 2 });
});

test('the minimap shows the first part while the window is in it, else the whole trace', () => {
  const whole = { from: 0n, to: 900n * day };
  const part = fitted({ from: 300n * day, to: 301n * day });
  const shown = (window: TimeWindow): TimeWindow => minimapWindow({ bounds: whole, firstView: { window: part, outside: 2 }, window: { value: window } } as unknown as TimelineView);
  expect(shown(part)).toBe(part);
  expect(shown(zoomed(part, 0.01, 0.9, whole))).toBe(part);
  expect(shown(moved(part, 0.45 * part.span))).toBe(part);
  for (const window of [moved(part, 0.55 * part.span), moved(part, -0.55 * part.span), zoomed(part, 1.2, 0.5, whole), fitted(whole)]) expect(shown(window)).toEqual({ from: 0n, part: 0, span: Number(900n * day) });
  expect(isWithin({ from: part.from, part: part.part, span: 8 }, part)).toBe(true);
});
