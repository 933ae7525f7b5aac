/** Nodes in columns, as the server sends them. */
import { expect, test } from 'vitest';
import { nodesOf } from '../../src/api/node_columns';
import type { TreeNode } from '../../src/api/timeline';

test('values that repeat are found by their places, and keys go on from those of parents', () => {
  const nodes = nodesOf({
    node: [7, 3, 9], parent: [null, 7, 3], key: ['phone', '/app#1', '/main#2'], level: [0, 1, 2], type: ['machine', 'process', 'thread'],
    title: { values: ['same'] }, modes: { values: [['summary'], ['value', 'summary']], at: [0, 0, 1] }, events: ['3', '2', '1'],
  });
  expect(nodes.map((n: TreeNode) => [n.node, n.key, n.title, n.modes, n.events])).toEqual([
    [7, 'phone', 'same', ['summary'], '3'], [3, 'phone/app#1', 'same', ['summary'], '2'], [9, 'phone/app#1/main#2', 'same', ['value', 'summary'], '1'],
  ]);
});

test('a page of one node, and one of none', () => {
  expect(nodesOf({ node: [5], key: ['a/b'], parent: [4], hidden: [2] }).map((n) => [n.node, n.key, n.parent, n.hidden])).toEqual([[5, 'a/b', 4, 2]]);
  expect(nodesOf({})).toEqual([]);
});
