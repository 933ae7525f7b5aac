/** Nodes of the tree as the server sends many of them: by member. */
import type { TreeNode } from './timeline';

/** A member of all nodes, in their order: its values, or each different value once and where it is; without `at` all have the same. */
export type NodeColumn = readonly unknown[] | { values: readonly unknown[]; at?: readonly number[] };

export type NodeColumns = Partial<Record<keyof TreeNode, NodeColumn>>;

function reader(column: NodeColumn | undefined): (row: number) => unknown {
  if (column === undefined) return () => null;
  if (Array.isArray(column)) return (row) => column[row];
  const { values, at } = column as { values: readonly unknown[]; at?: readonly number[] };
  return at ? (row) => values[at[row] ?? 0] : () => values[0];
}

/** Returns the nodes of columns. Nodes share what is equal, such as modes: it must not be changed. */
export function nodesOf(columns: NodeColumns): TreeNode[] {
  const of = <M extends keyof TreeNode>(name: M): ((row: number) => TreeNode[M]) => reader(columns[name]) as (row: number) => TreeNode[M];
  const node = of('node');
  const key = of('key');
  const parent = of('parent');
  const [level, type, kind, title, detail] = [of('level'), of('type'), of('kind'), of('title'), of('detail')] as const;
  const [children, hidden, empty] = [of('children'), of('hidden'), of('empty')] as const;
  const [machine, file, upid, utid, ucpu] = [of('machine_id'), of('trace_id'), of('upid'), of('utid'), of('ucpu')] as const;
  const [tracks, trackType, unit, lines, modes] = [of('tracks'), of('track_type'), of('unit'), of('lines'), of('modes')] as const;
  const [events, first, last, bound, linked] = [of('events'), of('first_ts'), of('last_ts'), of('bound'), of('linked')] as const;
  const column = columns.node ?? [];
  const n = Array.isArray(column) ? column.length : 1;
  const nodes: TreeNode[] = [];
  const keys = new Map<number, string>();
  for (let row = 0; row < n; row += 1) {
    const above = parent(row);
    // The key of a node whose parent is in the page has only what is beyond the parent's.
    const whole = ((above === null ? undefined : keys.get(above)) ?? '') + key(row);
    keys.set(node(row), whole);
    nodes.push({
      node: node(row), key: whole, parent: above, level: level(row), type: type(row), kind: kind(row), title: title(row), detail: detail(row), children: children(row), hidden: hidden(row), empty: empty(row),
      machine_id: machine(row), trace_id: file(row), upid: upid(row), utid: utid(row), ucpu: ucpu(row), tracks: tracks(row), track_type: trackType(row), unit: unit(row), lines: lines(row), modes: modes(row),
      events: events(row), first_ts: first(row), last_ts: last(row), bound: bound(row), linked: linked(row),
    });
  }
  return nodes;
}
