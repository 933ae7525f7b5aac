/** Columns of results: order, pins, references, types. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allColumns, moved, pinToggled, toggled, type ColumnOrder } from '../../src/lib/column_order';
import { commonType } from '../../src/lib/json_page';
import { meaningOf, referenceOf, referenceSql } from '../../src/lib/links';

test('columns are hidden, moved and pinned', () => {
  const all = allColumns(4);
  expect(toggled(all, 1)).toEqual({ visible: [0, 2, 3], pinned: 0 });
  expect(toggled(toggled(all, 1), 1)).toEqual({ visible: [0, 2, 3, 1], pinned: 0 });
  expect(moved(all, 3, 0)).toEqual({ visible: [3, 0, 1, 2], pinned: 0 });
  expect(pinToggled(all, 2)).toEqual({ visible: [2, 0, 1, 3], pinned: 1 });
  expect(pinToggled(pinToggled(all, 2), 2)).toEqual({ visible: [2, 0, 1, 3], pinned: 0 });
  expect(moved({ visible: [2, 0, 1, 3], pinned: 1 }, 3, 0)).toEqual({ visible: [3, 2, 0, 1], pinned: 2 });
  expect(toggled({ visible: [2, 0], pinned: 1 }, 2)).toEqual({ visible: [0], pinned: 0 });
  expect(toggled({ visible: [0], pinned: 0 }, 0)).toEqual({ visible: [0], pinned: 0 });
});

test('no action loses a column, shows one twice or pins all', () => {
  const action = fc.oneof(
    fc.record({ kind: fc.constant('toggle' as const), a: fc.nat(5) }), fc.record({ kind: fc.constant('pin' as const), a: fc.nat(5) }),
    fc.record({ kind: fc.constant('move' as const), a: fc.nat(5), b: fc.nat(5) }),
  );
  fc.assert(fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
    let order: ColumnOrder = allColumns(6);
    for (const x of actions) {
      order = x.kind === 'toggle' ? toggled(order, x.a) : x.kind === 'pin' ? pinToggled(order, x.a) : moved(order, x.a, x.b);
      const isSound = new Set(order.visible).size === order.visible.length && order.visible.length >= 1 && order.pinned >= 0 && order.pinned <= order.visible.length;
      if (!isSound) return false;
    }
    return true;
  }));
});

test('values name rows of tables', () => {
  expect(referenceOf({ name: 'utid', meaning: '' })).toEqual({ table: 'thread', key: 'utid' });
  expect(referenceOf({ name: 'whatever', meaning: 'row:slice' })).toEqual({ table: 'slice', key: 'id' });
  expect([referenceOf({ name: 'id', meaning: '' }), referenceOf({ name: 'constructor', meaning: '' }), referenceOf({ name: 'x', meaning: 'row:a; DROP' })]).toEqual([null, null, null]);
  expect(referenceSql({ table: 'thread', key: 'utid' }, 7n)).toBe('SELECT * FROM thread WHERE utid = 7');
});

test('integers of times are known by their name where the engine says nothing', () => {
  const of = (name: string, type: 'int' | 'text' = 'int', meaning = ''): string => meaningOf({ name, type, meaning });
  expect([of('ts'), of('first_ts'), of('dur'), of('cpu_dur'), of('ts', 'text'), of('n'), of('ts', 'int', 'row:slice'), of('ts', 'int', 'mixed')]).toEqual(['time_ns', 'time_ns', 'duration_ns', 'duration_ns', '', '', 'row:slice', 'time_ns']);
  expect([commonType(['null', 'int', 'int']), commonType(['int', 'text']), commonType([])]).toEqual(['int', 'mixed', 'null']);
});
