/** Tables of memory dumps: the overview, allocators, regions, heaps. */
import { expect, test } from 'vitest';
import { allocatorTree, changeOf, nodesSql, overviewOf, regionTree, type MemoryNode } from '../../src/lib/memory_dumps';
import { heapOf } from '../../src/lib/memory_heaps';

const names = (nodes: readonly MemoryNode[]): unknown[] => nodes.map((n) => (n.children.length > 0 ? [n.name, names(n.children)] : n.name));
const cellsOf = (nodes: readonly MemoryNode[], key: string): MemoryNode['cells'] | undefined => {
  for (const node of nodes) {
    const found = node.key === key ? node.cells : cellsOf(node.children, key);
    if (found) return found;
  }
  return undefined;
};

test('a change counts dumps without a value as 0, and has no value without any', () => {
  expect(changeOf([3, 9, 5])).toEqual({ last: 5, change: 2, max: 9 });
  expect(changeOf([null, 9, null])).toEqual({ last: null, change: 0, max: 9 });
  expect(changeOf([4, null])).toEqual({ last: null, change: -4, max: 4 });
  expect(changeOf([null, null])).toEqual({ last: null, change: null, max: null });
});

test('the overview has totals before regions, allocators and heaps, and the global dump first if it says something', () => {
  const rows = [
    [7, 2, 'heap', 'malloc', 9], [7, 2, 'allocator', 'v8', 5], [8, 2, 'allocator', 'v8', 6], [7, 2, 'total', 'private_bytes', 3], [7, 2, 'total', 'peak_resident_set_bytes', 2],
    [7, 2, 'total', 'resident_set_bytes', 1], [8, 1, 'region', 'Files', 4], [8, null, 'allocator', 'shared', 8],
  ];
  const processes = [[2, 'Renderer', 20], [1, '', 10], [null, null, null]];
  const { columns, rows: table } = overviewOf([7, 8], rows, processes);
  expect(columns.map((c) => c.name)).toEqual(['resident_set_bytes', 'peak_resident_set_bytes', 'private_bytes', 'Files', 'shared', 'v8', 'malloc']);
  expect(table.map((r) => r.title)).toEqual(['Global', 'Process 10', 'Renderer (20)']);
  expect(table[2]?.cells).toEqual([[1, null], [2, null], [3, null], null, null, [5, 6], [9, null]]);
  expect(overviewOf([7], [], processes).rows.map((r) => r.upid)).toEqual([1, 2]);
});

test('allocators are trees by their paths, with attributes and owners', () => {
  const tree = allocatorTree([1, 2], 'a', [[1, 'a', 9, 8], [1, 'a/b/c', 4, null], [2, 'a', 10, 10]],
    [[1, 'a', 'n.value', 3, null], [1, 'a', 'n.unit', null, 'objects'], [2, 'a', 'text.value', null, 'x'], [2, 'a', 'text.unit', null, '']],
    [['a', 1, 'gpu', 'g/h', 2], ['a', 0, 'global', 's', 0]]);
  expect(names(tree.nodes)).toEqual([['a', [['b', ['c']]]]]);
  expect(tree.columns).toEqual([{ title: 'Effective size', unit: 'bytes' }, { title: 'Size', unit: 'bytes' }, { title: 'n', unit: 'objects' }]);
  expect(tree.nodes[0]?.cells).toEqual([[8, 10], [9, 10], [3, null]]);
  expect(tree.nodes[0]?.note).toBe('text: x, owned by gpu: g/h (importance 2), owns global: s (importance 0)');
  expect(nodesSql([1], null, "it's")).toContain("p.upid IS NULL AND (n.path = 'it''s' OR substr(n.path, 1, 5) = 'it''s/')");
});

test('regions are below their class, and classes have their sums', () => {
  const tree = regionTree([1, 2], [[1, 'Files/so', '/a.so', '4096', 'r-xs', 1, 2, 3, 4, 5, 6, 7], [2, 'Files/so', '/a.so', '4096', 'r-xs', 10, 0, 0, 0, 0, 0, 7], [2, 'Files/so', '', '-4096', 'rw-p', 1, 0, 0, 0, 0, 0, null]]);
  expect(names(tree.nodes)).toEqual([['Total', [['Files', [['so', ['/a.so', '[anonymous]']]]]]]]);
  expect(tree.nodes[0]?.cells[0]).toEqual([1, 11]);
  expect(tree.nodes[0]?.cells[6]).toEqual([7, 7]);
  expect(JSON.stringify(tree.nodes)).toContain('0xfffffffffffff000 rw-p');
});

const sites = [[0, null, 'main'], [1, 0, 'load'], [2, 0, null]];

test('an entry of the first heap format stands for what is below it, too', () => {
  const heap = heapOf([5], [[5, null, null, 100, 10, 0], [5, 0, null, 90, 9, 0], [5, 1, null, 60, 6, 0], [5, null, 'T', 40, 4, 0], [5, 1, 'U', 7, 1, 0]], sites);
  const { nodes } = heap.stacks(null);
  expect(names(nodes)).toEqual([['All', [['main', ['load']]]]]);
  expect([cellsOf(nodes, 'null'), cellsOf(nodes, '0'), cellsOf(nodes, '1')]).toEqual([[[100], [10]], [[90], [9]], [[60], [6]]]);
  // A type without a sum of its own has that of its stacks.
  expect(heap.types.nodes.map((n) => [n.name, n.cells])).toEqual([['T', [[40], [4]]], ['U', [[7], [1]]]]);
  expect(names(heap.stacks('U').nodes)).toEqual([['All', [['main', ['load']]]]]);
});

test('an entry of the second heap format stands for itself', () => {
  const heap = heapOf([5, 6], [[5, 0, 'T', 10, 1, 1], [5, 1, 'T', 5, 1, 1], [6, 1, 'U', 8, 2, 1], [6, 2, 'T', 1, 1, 1], [9, 2, 'T', 1, 1, 1]], sites);
  const { nodes } = heap.stacks(null);
  expect(cellsOf(nodes, 'null')).toEqual([[15, 9], [2, 3]]);
  expect(names(nodes)).toEqual([['All', [['main', ['load', 'frame 2']]]]]);
  expect(heap.types.nodes.map((n) => [n.name, n.cells[0]])).toEqual([['U', [null, 8]], ['T', [15, 1]]]);
});
