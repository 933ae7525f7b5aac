/** What other tables say of an event. */
import { expect, test } from 'vitest';
import { callsitesOfSlice, eventName, framesOf, framesSql, statesOf, statesSql } from '../../src/lib/event_extras';

test('states have words, and I/O wait is said', () => {
  expect(statesOf([['Running', null, '5'], ['D', 1, '3'], ['R+', 0, '2'], [null, null, null], ['odd', 0, '1']])).toEqual([
    { words: 'running', ns: 5n }, { words: 'uninterruptible, waits for I/O', ns: 3n }, { words: 'runnable, preempted', ns: 2n }, { words: 'unknown', ns: 0n }, { words: 'odd', ns: 1n },
  ]);
  expect(statesSql(7, 10n, 20n)).toContain('utid = 7 AND ts < 20');
});

test('states of threads are named in words, other events as they are', () => {
  expect([['thread_state', 'S'], ['thread_state', 'R+'], ['thread_state', 'Running'], ['thread_state', 'odd'], ['slice', 'S']].map(([kind = '', name = '']) => eventName(kind, name))).toEqual(['sleeping (S)', 'runnable, preempted (R+)', 'Running', 'odd', 'S']);
});

test('frames without a name have their address', () => {
  expect(framesOf([['start', 'main', '1', 'app'], ['start', '', '-1', null], ['end', null, null, null]])).toEqual([
    { which: 'start', name: 'main', mapping: 'app' }, { which: 'start', name: '0xffffffffffffffff', mapping: '' }, { which: 'end', name: '0x0', mapping: '' },
  ]);
  expect(framesSql([['sample', 4]])).toContain("SELECT 'sample', 0, (4)");
  expect(callsitesOfSlice(3).map(([which]) => which)).toEqual(['start', 'end']);
});
