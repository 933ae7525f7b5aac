/** Heap dumps of the Trace Event Format: by stack and by type. */
import { sqlLiteral } from './cells';
import { mostRows, type MemoryNode, type MemoryTree, type Values } from './memory_dumps';

const entriesFrom = (dumps: readonly number[], upid: number, allocator: string): string => `FROM process_memory_snapshot p JOIN json_heap_entry h ON h.process_snapshot_id = p.id
WHERE p.snapshot_id IN (${dumps.join(', ')}) AND p.upid = ${upid} AND h.allocator = ${sqlLiteral(allocator)}`;

/** Returns the statement for the entries of a heap: snapshot, callsite, type, size, count, 1 if each entry stands for itself only. */
export const entriesSql = (dumps: readonly number[], upid: number, allocator: string): string => `SELECT p.snapshot_id, h.callsite_id, h.type_name, sum(h.size), sum(h.count), h.format = 'heaps_v2' ${entriesFrom(dumps, upid, allocator)}
GROUP BY 1, 2, 3, 6 ORDER BY 1, 2, 3 LIMIT ${mostRows}`;

/** Returns the statement for the callsites of a heap and their parents: id, parent, name. */
export const callsitesSql = (dumps: readonly number[], upid: number, allocator: string): string => `WITH RECURSIVE used(site) AS (SELECT DISTINCT h.callsite_id ${entriesFrom(dumps, upid, allocator)} AND h.callsite_id IS NOT NULL
UNION SELECT c.parent_id FROM used JOIN stack_profile_callsite c ON c.id = site WHERE c.parent_id IS NOT NULL)
SELECT c.id, c.parent_id, coalesce(f.deobfuscated_name, f.name) FROM used JOIN stack_profile_callsite c ON c.id = site JOIN stack_profile_frame f ON f.id = c.frame_id ORDER BY c.id LIMIT ${mostRows}`;

interface Sums {
  size: number;
  count: number;
}

interface Site {
  id: number | null;
  name: string;
  children: Site[];
}

/** The entries of one dump, by callsite and type; type null is the sum over types. */
type Entries = Map<number | null, Map<string | null, Sums & { isSelf: boolean }>>;

const sum = (all: readonly (Sums | null)[]): Sums | null => {
  const known = all.filter((s) => s !== null);
  return known.length === 0 ? null : { size: known.reduce((n, s) => n + s.size, 0), count: known.reduce((n, s) => n + s.count, 0) };
};

/** Returns the entry of a callsite and a type; for all types the sum of its entries, if none has the sum. */
function entryOf(entries: Entries, site: Site, type: string | null): { sums: Sums; isSelf: boolean } | null {
  const types = entries.get(site.id);
  if (!types) return null;
  const own = types.get(type);
  if (own) return { sums: own, isSelf: own.isSelf };
  if (type !== null) return null;
  const all = [...types.values()];
  const sums = sum(all);
  return sums ? { sums, isSelf: all.every((s) => s.isSelf) } : null;
}

/**
 * Returns the sizes in each dump below each callsite of a tree. An entry of the first format stands for all callsites below it,
 * too; one of the second only for itself.
 */
function totalsOf(entries: readonly Entries[], root: Site, type: string | null): Map<Site, (Sums | null)[]> {
  const totals = new Map<Site, (Sums | null)[]>();
  const add = (site: Site): (Sums | null)[] => {
    const below = site.children.map(add);
    const sums = entries.map((of, dump) => {
      const own = entryOf(of, site, type);
      return own && !own.isSelf ? own.sums : sum([own?.sums ?? null, ...below.map((child) => child[dump] ?? null)]);
    });
    totals.set(site, sums);
    return sums;
  };
  add(root);
  return totals;
}

export interface Heap {
  /** Names of the types, the largest first. */
  types: MemoryTree;
  /** Returns the tree of stacks, for one type or for all. */
  stacks: (type: string | null) => MemoryTree;
}

const columns = [{ title: 'Size', unit: 'bytes' }, { title: 'Count', unit: '' }];

/** Returns a heap from the rows of the two statements above. */
export function heapOf(dumps: readonly number[], rows: readonly (readonly unknown[])[], callsites: readonly (readonly unknown[])[]): Heap {
  const root: Site = { id: null, name: 'All', children: [] };
  const sites = new Map<number, Site>(callsites.map(([id, , name]) => [Number(id), { id: Number(id), name: name === null || name === '' ? `frame ${String(id)}` : String(name), children: [] }]));
  for (const [id, parent] of callsites) (parent === null ? root : (sites.get(Number(parent)) ?? root)).children.push(sites.get(Number(id)) ?? root);
  const entries: Entries[] = dumps.map(() => new Map());
  const names = new Set<string>();
  for (const [snapshot, callsite, type, size, count, isSelf] of rows) {
    const of = entries[dumps.indexOf(Number(snapshot))];
    if (!of) continue;
    const site = callsite === null ? null : Number(callsite);
    const types = of.get(site) ?? new Map<string | null, Sums & { isSelf: boolean }>();
    of.set(site, types);
    if (type !== null) names.add(String(type));
    types.set(type === null ? null : String(type), { size: Number(size ?? 0), count: Number(count ?? 0), isSelf: Number(isSelf) === 1 });
  }
  const cellsOf = (sums: readonly (Sums | null)[]): (Values | null)[] =>
    sums.every((s) => s === null) ? [null, null] : [sums.map((s) => s?.size ?? null), sums.map((s) => s?.count ?? null)];
  const largest = (node: MemoryNode): number => node.cells[0]?.at(-1) ?? 0;
  const sorted = (nodes: MemoryNode[]): MemoryNode[] => nodes.sort((a, b) => largest(b) - largest(a) || (a.name < b.name ? -1 : 1));
  const nodeOf = (site: Site, totals: ReadonlyMap<Site, (Sums | null)[]>): MemoryNode => ({
    key: String(site.id), name: site.name, cells: cellsOf(totals.get(site) ?? []), note: '', children: sorted(site.children.map((child) => nodeOf(child, totals)).filter((child) => child.cells[0] !== null)),
  });
  const isCut = Math.max(rows.length, callsites.length) >= mostRows;
  return {
    types: { columns, nodes: sorted([...names].map((name) => ({ key: name, name, cells: cellsOf(totalsOf(entries, root, name).get(root) ?? []), note: '', children: [] }))), isCut },
    stacks: (type) => ({ columns, nodes: [nodeOf(root, totalsOf(entries, root, type))], isCut }),
  };
}
