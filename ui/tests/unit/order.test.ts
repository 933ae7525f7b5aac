/** The order of two events in words. */
import { expect, test } from 'vitest';
import { gapText, orderRange, orderWords, weakestStep, type EventOrder, type OrderStep } from '../../src/lib/order';

const found = (part: Partial<EventOrder>): EventOrder => ({ order: 'before', reason: 'bounds', gap_ns: '3200000', bound_ns: '400000', at_most: false, contradicted: false, a: null, b: null, path: [], ...part });

test('the words say which is first, how far apart, and what it rests on', () => {
  expect(orderWords(found({}))).toMatchObject({ verdict: 'A precedes B: certain, 3.2 ms ± 0.4 ms', look: 'certain' });
  expect(orderWords(found({ order: 'after', gap_ns: '-3200000' })).verdict).toBe('B precedes A: certain, 3.2 ms ± 0.4 ms');
  expect(orderWords(found({ reason: 'clock', bound_ns: '0' }))).toEqual({ verdict: 'A precedes B: certain, 3.2 ms', detail: 'By the readings of one clock.', look: 'certain' });
  expect(orderWords(found({ order: 'same', reason: 'clock', gap_ns: '0', bound_ns: '0' })).verdict).toBe('The same reading');
  expect(orderWords(found({ order: 'undecided', bound_ns: '10000000' }))).toEqual({ verdict: 'The order is not certain', detail: 'B is between −6.8 ms and 13.2 ms after A.', look: 'uncertain' });
  expect(orderWords(found({ order: 'not_known', bound_ns: null }))).toMatchObject({ verdict: 'The order is not known', look: 'guessed' });
});

test('a flow decides against the clocks, and several clocks are said', () => {
  const led = orderWords(found({ reason: 'flow', contradicted: true, gap_ns: '-3200000' }));
  expect(led.verdict).toBe('A precedes B: certain');
  expect(led.detail).toBe('By a flow that leads from one to the other. The clocks contradict it: they say 3.2 ms ± 0.4 ms the other way round.');
  expect(orderWords(found({ at_most: true })).detail).toMatch(/Several clocks are possible/);
});

test('a gap and its bound have one unit where the bound stays exact', () => {
  expect(gapText(3_200_000n, 400_000n)).toBe('3.2 ms ± 0.4 ms');
  expect(gapText(-258_806_000n, 10_004_000n)).toBe('258.806 ms ± 10.004 ms');
  expect(gapText(3_200_000n, 1000n)).toBe('3.2 ms ± 0.001 ms');
  expect(gapText(3_200_000n, 1030n)).toBe('3.2 ms ± 1.03 µs');
  expect(gapText(2_000_000_000n, 10_000n)).toBe('2 s ± 10 µs');
  expect(gapText(62_000_000_000n, 400_000n)).toBe('1m02s ± 400 µs');
  expect(gapText(5n, 0n)).toBe('5 ns');
});

test('the reason names the weakest step of the path, and the range is that of the bound', () => {
  const step = (label: string, edge: number | null, source: string, bound: string | null): OrderStep => ({ clock: 0, label, edge, source, bound_ns: bound });
  const path = [step('a', 1, 'snapshot', '1000'), step('b', 2, 'wall_clock', '10000000'), step('c', 3, 'snapshot', '1000'), step('d', null, '', null)];
  expect(weakestStep(path)?.label).toBe('b');
  expect(weakestStep([])).toBeNull();
  expect(weakestStep([step('g', 4, 'guess', null), ...path])?.label).toBe('g');
  expect(orderWords(found({ order: 'undecided', bound_ns: '10000000', path })).detail).toBe('B is between −6.8 ms and 13.2 ms after A. By the path over wall-clock time, ±10 ms.');
  expect(orderWords(found({ path })).detail).toBe('By the path over wall-clock time, ±400 µs.');
  expect(orderWords(found({ order: 'not_known', bound_ns: null, path: [step('g', 4, 'guess', null), step('h', null, '', null)] })).detail).toBe('Nothing limits the error between the clocks of A and B. By the path over a guess.');
  expect(orderRange(found({}))).toEqual({ gap: 3_200_000, low: 2_800_000, high: 3_600_000 });
  expect(orderRange(found({ bound_ns: null }))).toEqual({ gap: 3_200_000, low: null, high: null });
  expect(orderRange(found({ gap_ns: null }))).toBeNull();
});
