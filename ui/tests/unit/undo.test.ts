/** Undo and redo. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UndoList } from '../../src/timeline/undo';

test('all undone is the first state, all redone the last, for any changes', () => {
  fc.assert(fc.property(fc.array(fc.integer(), { maxLength: 150 }), (changes) => {
    const list = new UndoList<number>();
    let now = -1;
    for (const next of changes) {
      list.remember(now);
      now = next;
    }
    const last = now;
    for (let state = list.undo(now); state !== null; state = list.undo(now)) now = state;
    expect(now).toBe(-1);
    for (let state = list.redo(now); state !== null; state = list.redo(now)) now = state;
    expect(now).toBe(last);
  }));
});

test('a change after undo ends what could be redone; the oldest of many states is forgotten', () => {
  const list = new UndoList<number>();
  list.remember(1);
  expect(list.undo(2)).toBe(1);
  list.remember(1);
  expect(list.redo(3)).toBeNull();
  for (let i = 0; i < 500; i += 1) list.remember(i);
  let steps = 0;
  while (list.undo(0) !== null) steps += 1;
  expect(steps).toBe(200);
});
