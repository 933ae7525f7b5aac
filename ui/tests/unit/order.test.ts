/** The order of two events in words. */
import { expect, test } from 'vitest';
import { orderWords, type EventOrder } from '../../src/lib/order';

const found = (part: Partial<EventOrder>): EventOrder => ({ order: 'before', reason: 'bounds', gap_ns: '3200000', bound_ns: '400000', at_most: false, contradicted: false, a: null, b: null, ...part });

test('the words say which is first, how far apart, and what it rests on', () => {
  expect(orderWords(found({}))).toMatchObject({ verdict: 'A precedes B: certain, 3.2 ms ± 400 µs', look: 'certain' });
  expect(orderWords(found({ order: 'after', gap_ns: '-3200000' })).verdict).toBe('B precedes A: certain, 3.2 ms ± 400 µs');
  expect(orderWords(found({ reason: 'clock', bound_ns: '0' }))).toEqual({ verdict: 'A precedes B: certain, 3.2 ms', detail: 'By the readings of one clock.', look: 'certain' });
  expect(orderWords(found({ order: 'same', reason: 'clock', gap_ns: '0', bound_ns: '0' })).verdict).toBe('The same reading');
  expect(orderWords(found({ order: 'undecided', bound_ns: '10000000' }))).toEqual({ verdict: 'The order is not certain', detail: 'B is between −6.8 ms and 13.2 ms after A.', look: 'uncertain' });
  expect(orderWords(found({ order: 'not_known', bound_ns: null }))).toMatchObject({ verdict: 'The order is not known', look: 'guessed' });
});

test('a flow decides against the clocks, and several clocks are said', () => {
  const led = orderWords(found({ reason: 'flow', contradicted: true, gap_ns: '-3200000' }));
  expect(led.verdict).toBe('A precedes B: certain');
  expect(led.detail).toBe('By a flow that leads from one to the other. The clocks contradict it: they say 3.2 ms ± 400 µs the other way round.');
  expect(orderWords(found({ at_most: true })).detail).toMatch(/Several clocks are possible/);
});
