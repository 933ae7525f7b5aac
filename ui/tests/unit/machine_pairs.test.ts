import { expect, test } from 'vitest';
import { uncertainOrder, type MachinePair } from '../../src/lib/machine_pairs';

const pair = (a: number, b: number, bound: bigint | null): MachinePair => ({ a, b, names: [`m${a}`, `m${b}`], bound });

test('an order is not certain in a window shorter than four bounds of two shown machines', () => {
  const pairs = [pair(0, 1, 10_000_000n), pair(0, 2, 1000n), pair(1, 2, 10_000_500n)];
  const both = new Set([0, 1]);
  expect(uncertainOrder(pairs, both, 39_999_999)).toEqual({ pair: pairs[0], more: 0 });
  expect(uncertainOrder(pairs, both, 40_000_000)).toBeNull();
  expect(uncertainOrder(pairs, new Set([0]), 10)).toBeNull();
  expect(uncertainOrder(pairs, new Set([0, 2]), 4000)).toBeNull();
  expect(uncertainOrder(pairs, new Set([0, 1, 2]), 3999)).toEqual({ pair: pairs[2], more: 2 });
});

test('without a bound no order is certain', () => {
  const pairs = [pair(0, 1, 5n), pair(0, 2, null)];
  expect(uncertainOrder(pairs, new Set([0, 1, 2]), 1e15)).toEqual({ pair: pairs[1], more: 0 });
  expect(uncertainOrder(pairs, new Set([0, 1, 2]), 10)).toEqual({ pair: pairs[1], more: 1 });
  expect(uncertainOrder(pairs, new Set([0, 1]), 1e15)).toBeNull();
});
