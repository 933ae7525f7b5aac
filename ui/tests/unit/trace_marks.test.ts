/** What a trace says of its own axis. */
import { expect, test } from 'vitest';
import { lengthText } from '../../src/lib/axis';
import { factsOf, markNear, syncPointsOf } from '../../src/lib/trace_marks';

test('annotations and the unit of time come from one statement; files that differ choose no unit', () => {
  expect(factsOf([])).toEqual({ annotations: [], isNanoseconds: false });
  expect(factsOf([['unit', null, 'ns'], ['xmarker', '5', null], ['comment_box', '9007199254740993', 'here']])).toEqual({
    annotations: [{ ts: 5n, text: 'marker' }, { ts: 9007199254740993n, text: 'here' }], isNanoseconds: true,
  });
  expect(factsOf([['unit', null, 'ns'], ['unit', null, 'ms']]).isNanoseconds).toBe(false);
  expect(factsOf([['unit', null, 'ms'], ['other', '1', '']])).toEqual({ annotations: [{ ts: 1n, text: 'other' }], isNanoseconds: false });
});

test('sync points have their ids, roles and clocks', () => {
  expect(syncPointsOf([['7', 'a', 'issuer', 'SYSTRACE'], [null, null, null, null]])).toEqual([{ ts: 7n, text: 'clock sync a, issuer, SYSTRACE' }, { ts: 0n, text: 'clock sync , , ' }]);
});

test('the nearest mark within reach is found, the first of equally near ones', () => {
  const marks = [3n, 10n, 14n].map((ts) => ({ ts, text: String(ts) }));
  expect([markNear(marks, 12n, 5n)?.text, markNear(marks, 8n, 5n)?.text, markNear(marks, 40n, 5n), markNear(marks, 19n, 5n)?.text, markNear([], 1n, 5n)]).toEqual(['10', '10', null, '14', null]);
});

test('lengths are whole nanoseconds where times are', () => {
  expect([lengthText(1_204_331n, 'raw'), lengthText(-1_000n, 'raw'), lengthText(1_204_331n, 'seconds')]).toEqual(['1,204,331 ns', '−1,000 ns', '1.204 ms']);
});
